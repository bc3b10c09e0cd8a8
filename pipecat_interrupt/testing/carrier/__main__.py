"""`python -m pipecat_interrupt.testing.carrier`: call a bot from a shell, without a carrier."""

from pipecat_interrupt.cli.call import main

if __name__ == "__main__":
    main()

"""What the programs of test/fixtures/programs/torch2/ give in PyTorch 2 and NumPy 2, which have functions and rules that the installed versions lack.

Run: python3 test/reference/torch2_vectors.py > test/fixtures/torch2.json (nothing is read from standard input, no GPU is used). Prints one JSON: the versions
of both libraries, and for each program its text and what program_run.py says of it.
"""
import json
import sys
from pathlib import Path

import numpy
import torch

sys.path.insert(0, str(Path(__file__).parent))
from program_run import run  # noqa: E402

FOLDER = Path(__file__).parent.parent / "fixtures" / "programs" / "torch2"


def main():
    torch.set_num_threads(1)
    programs = []
    for path in sorted(FOLDER.glob("*.py")):
        text = path.read_text()
        programs.append(dict(name=path.stem, text=text, ran=run(text, traced_too="flex_attention" not in text)))
    json.dump(dict(torch=torch.__version__, numpy=numpy.__version__, python=sys.version.split()[0], programs=programs), sys.stdout)


if __name__ == "__main__":
    main()

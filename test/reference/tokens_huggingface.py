"""Tokenizers made with Hugging Face's own library, and its results for texts: ids, tokens, offsets.

python3 tokens_huggingface.py TEXTS [SEED [FIRST]] prints JSON: for each tokenizer its tokenizer.json and TEXTS texts.
Needs `tokenizers` (0.23.2 made the fixture) and, for the character map, `sentencepiece` (0.2.2).
"""

import base64
import io
import json
import random
import sys

import sentencepiece
from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers, processors, trainers

CORPUS = """The cat sat on the mat. What is the capital of France? I have a new GPU! Attention is all you need.
Tokenization converts a sequence of words into vectors; embeddings are learned, positions are added. don't can't we'll it's
The quick brown fox jumps over the lazy dog 0123456789 times, and 3.14159 is about pi. Straße, naïve façade, über, Ünïcödé,
ΑΒΓ αβγ ἀρχή, Привет мир, ёлка, שלום עולם, مرحبا بالعالم, नमस्ते दुनिया, สวัสดีชาวโลก, 你好世界 注意力机制, こんにちは世界 カタカナ, 안녕하세요 세계,
👩‍👩‍👧 🙂 🇫🇷 ﬁne ﬂow ① ½ ㎏ Ⅷ ﷺ İstanbul ǅungla e\u0301te\u0301 a\u0300\u0316 def attend(q, k, v): return softmax(q @ k.T / sqrt(d)) @ v
http://example.com/a_b?c=d&e=f#g snake_case camelCase XMLHttpRequest (x) [y] {z} <w> "quoted" 'single' -- ... !!! ??? $5 50% #tag @user""".split("\n")

WORDS = """the cat sat on the mat The Cat I have a new GPU! GPUs don't WON'T it'S 'ſ we'Re Tokenization tokenizations embedding attentive
12345 3.14159 1e-9 ١٢٣ ½ HelloWorld naïve façade Straße STRASSE ΑΒΓ αβγς ΣΑΣ Привет ёлка שלום مرحبا नमस्ते สวัสดี 你好世界 注意 こんにちは ｶﾞ 안녕하세요
각 각 👩‍👩‍👧 🇫🇷🇩🇪 ☃️ ﬁne ﷺ ㎏ İstanbul ǅ ẞ e\u0301 e\u0301\u0323 a\u0316\u0300 \u0340 \u0344 q\u0307\u0323 Å K Ω [MASK] [CLS] <s> <mask> <|endoftext|> MASK foo foobar
// == -> :: _a_b_ (x) [y] {z} "q" ``l'' – — … • $x$ a.b@c.d #t ▁ ▁a Ġ Ċ ,;:""".split()
SPACES = [" ", " ", " ", "  ", "   ", "\n", "\n\n", "\r\n", "\t", "\u00a0", "\u0085", "\ufeff", "\u3000", "\u200b", "\u2028", "\x00", "\x1c", ""]
# Assigned since Unicode 5 or so, so that every program's tables have them.
BLOCKS = [(0x20, 0x7E)] * 4 + [(0xA0, 0x24F), (0x300, 0x345), (0x391, 0x3A1), (0x400, 0x45F), (0x5D0, 0x5EA), (0x621, 0x652), (0x905, 0x94D),
    (0xE01, 0xE3A), (0x1100, 0x1159), (0x1E00, 0x1E9B), (0x2010, 0x2027), (0x2030, 0x205E), (0x2100, 0x213A), (0x2460, 0x2473), (0x3041, 0x3096), (0x4E00, 0x9FA5),
    (0xAC00, 0xD7A3), (0xF900, 0xFA2D), (0xFF01, 0xFF9D), (0x1D400, 0x1D454), (0x1F600, 0x1F640), (0x20000, 0x2A6D6)]


def text(rng):
    out = []
    for _ in range(rng.randint(0, 9)):
        kind = rng.random()
        if kind < 0.6:
            out.append(rng.choice(WORDS))
        elif kind < 0.97:
            low, high = rng.choice(BLOCKS)
            out.append("".join(chr(rng.randint(low, high)) for _ in range(rng.randint(1, 5))))
        else:
            out.append(rng.choice("aA1! \n漢é") * rng.randint(1, 130))
        out.append(rng.choice(SPACES))
    return "".join(out)


def trained(model, trainer, normalizer=None, pre_tokenizer=None, post=None, added=()):
    tokenizer = Tokenizer(model)
    if normalizer:
        tokenizer.normalizer = normalizer
    if pre_tokenizer:
        tokenizer.pre_tokenizer = pre_tokenizer
    tokenizer.train_from_iterator(CORPUS, trainer)
    tokenizer.add_tokens(list(added))
    if post:
        tokenizer.post_processor = post(tokenizer)
    return tokenizer


def wordpiece(size=420, **parts):
    trainer = trainers.WordPieceTrainer(vocab_size=size, special_tokens=["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"], show_progress=False)
    return trained(models.WordPiece(unk_token="[UNK]"), trainer, **parts)


def bpe(size=420, model=None, special=("<unk>", "<s>", "</s>", "<mask>"), alphabet=(), **parts):
    options = {k: parts.pop(k) for k in ("continuing_subword_prefix", "end_of_word_suffix") if k in parts}
    trainer = trainers.BpeTrainer(vocab_size=size, special_tokens=list(special), initial_alphabet=list(alphabet), show_progress=False, **options)
    return trained(model or models.BPE(unk_token="<unk>", **options), trainer, **parts)


def byte_bpe(**parts):
    return bpe(model=models.BPE(), special=["<|endoftext|>", "<s>", "</s>", "<mask>"], alphabet=pre_tokenizers.ByteLevel.alphabet(), **parts)


def unigram(size=420, byte_fallback=False, **parts):
    special = ["<s>", "<pad>", "</s>", "<unk>"] + ([f"<0x{b:02X}>" for b in range(256)] if byte_fallback else [])
    trainer = trainers.UnigramTrainer(vocab_size=size + len(special), special_tokens=special, unk_token="<unk>", show_progress=False)
    tokenizer = trained(models.Unigram(), trainer, **parts)
    if byte_fallback:
        tokenizer = edited(tokenizer, byte_fallback=True)
    return tokenizer


def edited(tokenizer, **model):
    """A copy of a tokenizer with other fields in its model."""
    content = json.loads(tokenizer.to_str())
    content["model"].update(model)
    return Tokenizer.from_str(json.dumps(content))


def bert_template(tokenizer):
    cls, sep = ((t, tokenizer.token_to_id(t)) for t in ("[CLS]", "[SEP]"))
    return processors.TemplateProcessing(single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[cls, sep])


def s_pair(tokenizer):
    return ("</s>", tokenizer.token_to_id("</s>")), ("<s>", tokenizer.token_to_id("<s>"))


def character_map():
    """SentencePiece's nmt_nfkc rules, as in T5 and XLM-R: taken from a model trained for it."""
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(sentence_iterator=iter(CORPUS), model_writer=model, vocab_size=400, normalization_rule_name="nmt_nfkc",
        hard_vocab_limit=False, minloglevel=2)
    proto = model.getvalue()
    # normalizer_spec is field 3; in it, name is field 1 and precompiled_charsmap field 2: found by its name.
    at = proto.rindex(b"\x0a\x08nmt_nfkc\x12") + 11
    length = shift = 0
    while True:
        byte = proto[at]
        at += 1
        length |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return proto[at : at + length]


GPT4 = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
GPT4O = "|".join([
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"\p{N}{1,3}", r" ?[^\s\p{L}\p{N}]+[\r\n/]*", r"\s*[\r\n]+", r"\s+(?!\S)", r"\s+"])
DEEPSEEK = r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
BLOOM = r" ?[^(\s|[.,!?…。，、।۔،])]+"
CLIP = r"<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"
# Cases of pattern syntax: possessive and lazy repeats, look-around, anchors, classes, escapes.
ODD = [r"\w+?\b|\W", r"(?<=\s)\S{2,3}+|^\p{Lu}", r"[[:alpha:]&&[^aeiou]]++|[[:digit:]_-]+$", r"(?>a+|ab)c?|\x{e9}|\u00fc|[\x20-\x2f]", r"(?=\p{Han})",
    r"(?i:[a-fk]+S?|\.)", r"\h{2}|\p{^L}\P{L}|\p{Greek}+|[^\W\d]{,2}", r"(?<!\d)\d{3}(?=(?:\d{3})*(?!\d))|\A.|.\z"]

byte_level = lambda **k: pre_tokenizers.ByteLevel(**{"add_prefix_space": False, **k})
split = lambda pattern, behavior="isolated", invert=False: pre_tokenizers.Split(Regex(pattern), behavior, invert)
then_bytes = lambda pattern, **k: pre_tokenizers.Sequence([split(pattern, **k), byte_level(use_regex=False)])
replace_blanks = lambda: normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
added = [AddedToken("[DAY]", lstrip=True, rstrip=True), AddedToken("foo", single_word=True), AddedToken("Cat Sat", normalized=True), AddedToken("at", normalized=False)]


def tokenizers():
    everything = lambda: normalizers.Sequence([normalizers.NFD(), normalizers.StripAccents(), normalizers.Lowercase()])
    bert = lambda **k: normalizers.BertNormalizer(**k)
    bertish = {"normalizer": bert(), "pre_tokenizer": pre_tokenizers.BertPreTokenizer(), "post": bert_template}
    yield "bert-uncased", wordpiece(**bertish)
    yield "bert-cased", wordpiece(**{**bertish, "normalizer": bert(lowercase=False)})
    yield "bert-accents", wordpiece(normalizer=bert(strip_accents=False), pre_tokenizer=pre_tokenizers.BertPreTokenizer(),
        post=lambda t: processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2)))
    yield "bert-raw", wordpiece(normalizer=bert(clean_text=False, handle_chinese_chars=False, strip_accents=True, lowercase=False), pre_tokenizer=pre_tokenizers.BertPreTokenizer(), added=added)
    yield "wordpiece-short-words", edited(wordpiece(normalizer=everything(), pre_tokenizer=pre_tokenizers.Whitespace()), max_input_chars_per_word=5)
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        yield f"wordpiece-{form}", wordpiece(normalizer=getattr(normalizers, form)(), pre_tokenizer=pre_tokenizers.WhitespaceSplit())
    yield "characters", trained(models.WordLevel({c: i for i, c in enumerate(["<unk>"] + [chr(c) for c in range(32, 800)])}, "<unk>"),
        trainers.WordLevelTrainer(vocab_size=1, show_progress=False, special_tokens=["<unk>"]), pre_tokenizer=split(r"\X".replace(r"\X", r"[\x{0}-\x{10ffff}]")),
        normalizer=normalizers.Sequence([normalizers.NFKC(), normalizers.Lowercase(), normalizers.NFC()]))
    for behavior in ("removed", "isolated", "merged_with_previous", "merged_with_next", "contiguous"):
        yield f"wordlevel-{behavior}", trained(models.WordLevel(unk_token="<unk>"), trainers.WordLevelTrainer(vocab_size=150, special_tokens=["<unk>"], show_progress=False),
            normalizer=normalizers.Strip(), pre_tokenizer=pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Punctuation(behavior)]), added=added)
        yield f"split-{behavior}", trained(models.WordLevel(unk_token="<unk>"), trainers.WordLevelTrainer(vocab_size=150, special_tokens=["<unk>"], show_progress=False),
            normalizer=normalizers.Lowercase(), pre_tokenizer=split(r"\s+|[.,]", behavior, behavior == "contiguous"))
    yield "digits", bpe(pre_tokenizer=pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.Whitespace()]), added=added)
    yield "digits-together", bpe(pre_tokenizer=pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=False), pre_tokenizers.CharDelimiterSplit(" ")]))
    yield "gpt2", byte_bpe(pre_tokenizer=byte_level(), post=lambda t: processors.ByteLevel(trim_offsets=False))
    yield "roberta", byte_bpe(pre_tokenizer=byte_level(add_prefix_space=True), post=lambda t: processors.RobertaProcessing(*s_pair(t), trim_offsets=True, add_prefix_space=True),
        added=[AddedToken("<mask>", lstrip=True, special=True)])
    yield "byte-trimmed", byte_bpe(pre_tokenizer=byte_level(), post=lambda t: processors.Sequence([processors.ByteLevel(trim_offsets=True, add_prefix_space=False),
        processors.TemplateProcessing(single="<s> $A", pair="<s> $A $B", special_tokens=[("<s>", 1)])]))
    yield "llama3", edited(byte_bpe(pre_tokenizer=then_bytes(GPT4)), ignore_merges=True)
    yield "o200k", byte_bpe(pre_tokenizer=then_bytes(GPT4O))
    yield "deepseek", byte_bpe(pre_tokenizer=pre_tokenizers.Sequence([split(r"\p{N}{1,3}"), split("[一-龥぀-ゟ゠-ヿ]+"), split(DEEPSEEK), byte_level(use_regex=False)]))
    yield "qwen", byte_bpe(normalizer=normalizers.NFC(), pre_tokenizer=then_bytes(GPT4.replace("{1,3}", "")))
    yield "bloom", byte_bpe(pre_tokenizer=then_bytes(BLOOM))
    yield "starcoder", byte_bpe(pre_tokenizer=pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=True), byte_level()]))
    yield "falcon", byte_bpe(pre_tokenizer=pre_tokenizers.Sequence([pre_tokenizers.Punctuation("contiguous"), byte_level(), pre_tokenizers.Digits(individual_digits=False), split("[0-9][0-9][0-9]")]))
    yield "byte-normalizer", byte_bpe(normalizer=normalizers.ByteLevel())
    yield "clip", bpe(normalizer=normalizers.Sequence([normalizers.NFC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Lowercase()]),
        pre_tokenizer=pre_tokenizers.Sequence([split(CLIP, "removed", True), byte_level()]), end_of_word_suffix="</w>", model=models.BPE(unk_token="<|endoftext|>", end_of_word_suffix="</w>"),
        special=["<|startoftext|>", "<|endoftext|>"], alphabet=pre_tokenizers.ByteLevel.alphabet())
    yield "bpe-prefix", bpe(pre_tokenizer=pre_tokenizers.Whitespace(), continuing_subword_prefix="##")
    yield "bpe-fused", edited(bpe(pre_tokenizer=pre_tokenizers.Metaspace()), fuse_unk=True)
    yield "llama2", edited(bpe(size=720, normalizer=replace_blanks(), special=["<unk>", "<s>", "</s>"] + [f"<0x{b:02X}>" for b in range(256)],
        post=lambda t: processors.TemplateProcessing(single="<s> $A", pair="<s> $A <s> $B", special_tokens=[("<s>", 1)])), byte_fallback=True, fuse_unk=True)
    yield "gemma", edited(bpe(size=720, normalizer=normalizers.Replace(" ", "▁"), pre_tokenizer=pre_tokenizers.Split(" ", "merged_with_previous"),
        special=["<unk>"] + [f"<0x{b:02X}>" for b in range(256)]), byte_fallback=True)
    yield "unigram", unigram(pre_tokenizer=pre_tokenizers.Metaspace())
    yield "unigram-never", unigram(pre_tokenizer=pre_tokenizers.Metaspace(prepend_scheme="never"), normalizer=normalizers.NFKC(), added=added)
    yield "unigram-first", unigram(pre_tokenizer=pre_tokenizers.Metaspace(prepend_scheme="first", split=False), added=[AddedToken("<s>", special=True)])
    yield "unigram-bytes", unigram(byte_fallback=True, pre_tokenizer=pre_tokenizers.Metaspace())
    yield "albert", unigram(normalizer=normalizers.Sequence([normalizers.Replace("``", '"'), normalizers.Replace("''", '"'), normalizers.NFKD(), normalizers.StripAccents(), normalizers.Lowercase()]),
        pre_tokenizer=pre_tokenizers.Metaspace())
    yield "xlm-r", unigram(normalizer=normalizers.Sequence([normalizers.Nmt(), normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")]),
        pre_tokenizer=pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()]),
        post=lambda t: processors.TemplateProcessing(single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)]))
    yield "t5", unigram(normalizer=normalizers.Precompiled(character_map()), pre_tokenizer=pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()]))
    for i, pattern in enumerate(ODD):
        yield f"pattern-{i}", wordpiece(size=120, pre_tokenizer=split(pattern))
    yield "fixed-length", wordpiece(size=150, pre_tokenizer=pre_tokenizers.FixedLength(3))
    yield "nothing", bpe(size=200)


def utf16(string):
    """The UTF-16 offset of each character offset."""
    offsets = [0]
    for c in string:
        offsets.append(offsets[-1] + (2 if ord(c) > 0xFFFF else 1))
    return offsets


def case(tokenizer, string, **options):
    encoding = tokenizer.encode(string, **options)
    units = utf16(string)
    return [string, encoding.ids, encoding.tokens, [[units[a], units[b]] for a, b in encoding.offsets]]


def main(texts, seed=0, first=0):
    out = []
    for name, tokenizer in tokenizers():
        rng = random.Random(f"{seed} {name}")
        cases = [case(tokenizer, text(rng)) for _ in range(texts)]
        bare = [case(tokenizer, text(rng), add_special_tokens=False) for _ in range(texts // 4)]
        tokenizer.encode_special_tokens = True
        literal = [case(tokenizer, text(rng)) for _ in range(texts // 4)]
        out.append({"name": name, "json": json.loads(tokenizer.to_str()), "cases": cases, "bare": bare, "literal": literal})
    json.dump(out[first:], sys.stdout, ensure_ascii=False, separators=(",", ":"))


if __name__ == "__main__":
    main(*(int(a) for a in sys.argv[1:]))

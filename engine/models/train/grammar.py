"""Sentences of grammar.txt, with what each word stands for.

A sentence is a list of words and a list of links: (row, kind, true, rivals). `row` is the word that asks (the word before
a verb, a pronoun), `true` the position of what it asks for, `rivals` the positions of what it could be mistaken for.
"""
import random
import re
import zlib
from dataclasses import dataclass, field

# Named words that a verb or a pronoun is not mistaken for.
NO_RIVALS = ("mood", "past", "food", "drink", "colour")
SLOT = re.compile(r"<(\w+)([+!]?)(?::(\w))?>|\((\w+)/(\w+):(\w)\)|=(\w)|([^\s<>(){}=]+)")


@dataclass
class Entity:
    word: str
    plural: bool
    category: str
    at: int


@dataclass
class Sentence:
    kind: str
    words: list = field(default_factory=list)
    links: list = field(default_factory=list)
    entities: dict = field(default_factory=dict)


class Held(Exception):
    """The pair of nouns is kept for the other set."""


def plural_of(entry):
    word, _, irregular = entry.partition("/")
    return irregular or word + "s"


class Grammar:
    def __init__(self, path):
        self.categories, self.templates = {}, []
        for line in open(path, encoding="ascii"):
            line = line.split("#")[0].strip()
            if not line:
                continue
            head, _, rest = line.partition(":") if re.match(r"\w+ \d+:", line) else line.partition("=")
            if "=" in line and not re.match(r"\w+ \d+:", line):
                self.categories[head.strip()] = rest.split()
            else:
                kind, weight = head.split()
                self.templates.append((kind, int(weight), rest.strip()))

    def sentence(self, rng, held, kind=None):
        """One sentence. Pairs of named nouns are split by a checksum: an eighth of them are held back for tests."""
        while True:
            choices = [t for t in self.templates if kind in (None, t[0])]
            chosen = rng.choices(choices, [t[1] for t in choices])[0]
            try:
                return self.expand(chosen, rng, held)
            except Held:
                continue

    def expand(self, template, rng, held):
        kind, _, text = template
        while "{" in text:
            text = re.sub(r"\{([^{}]*)\}", lambda m: rng.choice(m[1].split("|")), text)
        s = Sentence(kind)
        for m in SLOT.finditer(text):
            category, number, name, singular, plural, agrees, same, word = m.groups()
            if category:
                self.noun(s, rng, category, number, name)
            elif agrees:
                self.agree(s, singular, plural, agrees)
            else:
                s.words.append(s.entities[same].word if same else word)
        nouns = [e for e in s.entities.values() if e.category not in NO_RIVALS]
        if len(nouns) > 1:
            pair = "|".join(sorted(e.word for e in nouns[:2])).encode()
            if (zlib.crc32(pair) % 8 == 0) != held:
                raise Held()
        return s

    def noun(self, s, rng, category, number, name):
        entry = rng.choice(self.categories[category])
        plural = number == "!" or (number == "+" and rng.random() < 0.5)
        verb = category in ("action", "deed")
        word = plural_of(entry) if plural else entry.split("/")[0]
        if not verb and any(e.word in (word, entry.split("/")[0], plural_of(entry)) for e in s.entities.values()):
            raise Held()
        if name:
            s.entities[name] = Entity(word, plural, category, len(s.words))
        s.words.append(word)

    def agree(self, s, singular, plural, name):
        entity = s.entities[name]
        people = {"he": ("male", "man"), "she": ("female", "woman")}
        if singular in people:
            word = singular if entity.category in people[singular] else plural
            rivals = [e.at for n, e in s.entities.items() if n != name and e.category not in NO_RIVALS]
            s.links.append((len(s.words), "pronoun", entity.at, rivals))
        else:
            word = plural if entity.plural else singular
            rivals = [e.at for n, e in s.entities.items() if n != name and e.plural != entity.plural]
            if rivals:
                s.links.append((len(s.words) - 1, "agreement", entity.at, rivals))
        s.words.append(word)


def baselines(sentences):
    """How often the first, the last and the nearest noun is the right one: each must be at chance, or the position
    and not the word would give the answer away."""
    counts = {}
    for s in sentences:
        for row, kind, true, rivals in s.links:
            if not rivals:
                continue
            c = counts.setdefault(kind, dict(n=0, first=0, last=0))
            c["n"] += 1
            c["first"] += true < min(rivals)
            c["last"] += true > max(rivals)
    return {k: dict(n=c["n"], first=c["first"] / c["n"], last=c["last"] / c["n"]) for k, c in counts.items()}


if __name__ == "__main__":
    import sys

    g = Grammar(sys.argv[1])
    rng = random.Random(0)
    some = [g.sentence(rng, False) for _ in range(20000)]
    for s in some[:25]:
        print(" ".join(s.words), s.links)
    print(baselines(some), "words", len({w for s in some for w in s.words}))

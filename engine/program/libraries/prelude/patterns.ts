/** Python's `re`, over `patterns.ts`, which finds. */
export const patterns = String.raw`
class Match:
    def __init__(self, pattern, string, found):
        self.re, self.string = pattern, string
        self._spans, self._names = found

    def _at(self, group):
        if isinstance(group, str):
            group = dict(self._names).get(group, -1)
        if group < 0 or group >= len(self._spans):
            raise IndexError('no such group')
        return group

    def _text(self, group, default=None):
        start, end = self._spans[self._at(group)]
        return default if start < 0 else self.string[start:end]

    def group(self, *groups):
        if len(groups) < 2:
            return self._text(groups[0] if groups else 0)
        return tuple([self._text(one) for one in groups])

    def __getitem__(self, group):
        return self._text(group)

    def groups(self, default=None):
        return tuple([self._text(i, default) for i in range(1, len(self._spans))])

    def groupdict(self, default=None):
        return {name: self._text(i, default) for name, i in self._names}

    def span(self, group=0):
        return self._spans[self._at(group)]

    def start(self, group=0):
        return self.span(group)[0]

    def end(self, group=0):
        return self.span(group)[1]

    def __bool__(self):
        return True

    def __repr__(self):
        return f'<re.Match object; span={self.span()}, match={self.group()!r}>'


class Pattern:
    def __init__(self, pattern, flags):
        self.pattern = pattern
        self._flags = flags if isinstance(flags, int) else flags.value

    def _ask(self, how, string, pos=0, count=0, template=''):
        return _re(how, self.pattern, self._flags, string, pos, count, template)

    def _one(self, how, string, pos, endpos):
        if endpos is not None:
            string = string[:endpos]
        found = self._ask(how, string, min(max(pos, 0), len(string)))
        return Match(self, string, found[0]) if found else None

    def search(self, string, pos=0, endpos=None):
        return self._one('search', string, pos, endpos)

    def match(self, string, pos=0, endpos=None):
        return self._one('match', string, pos, endpos)

    def fullmatch(self, string, pos=0, endpos=None):
        return self._one('fullmatch', string, pos, endpos)

    def findall(self, string, pos=0):
        return self._ask('findall', string, pos)

    def finditer(self, string, pos=0):
        return iter([Match(self, string, one) for one in self._ask('finditer', string, pos)])

    def split(self, string, maxsplit=0):
        return self._ask('split', string, 0, maxsplit)

    def sub(self, repl, string, count=0):
        return self.subn(repl, string, count)[0]

    def subn(self, repl, string, count=0):
        if isinstance(repl, str):
            return self._ask('subn', string, 0, count, repl)
        out, last, n = '', 0, 0
        for one in self._ask('finditer', string, 0, count):
            match = Match(self, string, one)
            out, last, n = out + string[last:match.start()] + repl(match), match.end(), n + 1
        return out + string[last:], n


def compile(pattern, flags=0):
    return pattern if isinstance(pattern, Pattern) else Pattern(pattern, flags)


def search(pattern, string, flags=0):
    return compile(pattern, flags).search(string)


def match(pattern, string, flags=0):
    return compile(pattern, flags).match(string)


def fullmatch(pattern, string, flags=0):
    return compile(pattern, flags).fullmatch(string)


def findall(pattern, string, flags=0):
    return compile(pattern, flags).findall(string)


def finditer(pattern, string, flags=0):
    return compile(pattern, flags).finditer(string)


def split(pattern, string, maxsplit=0, flags=0):
    return compile(pattern, flags).split(string, maxsplit)


def sub(pattern, repl, string, count=0, flags=0):
    return compile(pattern, flags).sub(repl, string, count)


def subn(pattern, repl, string, count=0, flags=0):
    return compile(pattern, flags).subn(repl, string, count)


def escape(pattern):
    return ''.join(['\\' + one if one in '()[]{}?*+-|^$\\.&~# \t\n\r\v\f' else one for one in pattern])
`;

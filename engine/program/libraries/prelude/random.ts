/** Python's `random` (CPython, Lib/random.py), over `_word`: the words of its Mersenne Twister, of which there are none without a seed that is a whole number. */
const generator = String.raw`
class Random:
    def __init__(self, x=None):
        self.seed(x)

    def seed(self, a=None, version=2):
        self._at, self._gauss, key = 0, None, None
        if _known(a):
            a, key = abs(a), []
            while a or not key:
                key.append(a % 4294967296)
                a //= 4294967296
        elif a is not None:
            key = _undrawn('seed')
        self._key = key

    def getstate(self):
        return _State(self._key, self._at, self._gauss)

    def setstate(self, state):
        self._key, self._at, self._gauss = state.held

    def __getattr__(self, name):
        return self._lose()

    def _lose(self):
        self._key = _undrawn('seed')
        return self._key

    def _word(self):
        self._at += 1
        return _word(self._key, self._at - 1)

    def getrandbits(self, k):
        if k > 53:
            return self._lose()
        if k <= 32:
            return self._word() // 2 ** (32 - k) if k else 0
        low = self._word()
        return low + self._word() // 2 ** (64 - k) * 4294967296

    def _below(self, n):
        bits, rest = 0, n if _known(n) else 0
        while rest > 0:
            bits, rest = bits + 1, rest // 2
        found = self.getrandbits(bits) if bits else self._lose()
        while _known(found) and found >= n:
            found = self.getrandbits(bits)
        return found

    def random(self):
        high = self._word() // 32
        return (high * 67108864 + self._word() // 64) / 9007199254740992

    def uniform(self, a, b):
        return a + (b - a) * self.random()

    def randrange(self, start, stop=None, step=1):
        if stop is None:
            start, stop = 0, start
        n = (stop - start + step + (-1 if step > 0 else 1)) // step
        if n <= 0:
            raise ValueError('empty range for randrange()')
        return start + step * self._below(n)

    def randint(self, a, b):
        return self.randrange(a, b + 1)

    def choice(self, seq):
        if not len(seq):
            raise IndexError('Cannot choose from an empty sequence')
        return seq[self._below(len(seq))]

    def shuffle(self, x):
        for i in reversed(range(1, len(x))):
            j = self._below(i + 1)
            if not _known(j):
                return _undrawn('shuffle')(x)
            x[i], x[j] = x[j], x[i]

    def sample(self, population, k, *, counts=None):
        if counts is not None:
            return self._lose()
        n = len(population)
        if not 0 <= k <= n:
            raise ValueError('Sample larger than population or is negative')
        size = 21 + (4 ** math.ceil(math.log(k * 3, 4)) if k > 5 else 0)
        pool, taken, found = list(population) if n <= size else None, set(), []
        for i in range(k):
            j = self._below(n - i if pool else n)
            while _known(j) and j in taken:
                j = self._below(n)
            found.append((pool or population)[j])
            if not _known(j):
                continue
            if pool:
                pool[j] = pool[n - i - 1]
            else:
                taken.add(j)
        return found

    def choices(self, population, weights=None, *, cum_weights=None, k=1):
        n = len(population)
        if cum_weights is None and weights is None:
            return [population[math.floor(self.random() * n)] for _ in range(k)]
        sums = list(cum_weights or [])
        for weight in weights or []:
            sums.append(weight + (sums[-1] if sums else 0))
        if len(sums) != n:
            raise ValueError('The number of weights does not match the population')
        if sums[-1] <= 0:
            raise ValueError('Total of weights must be greater than zero')
        found = []
        for _ in range(k):
            at = self.random() * (sums[-1] + 0.0)
            found.append(population[sum([one <= at for one in sums[:-1]])])
        return found

    def gauss(self, mu=0.0, sigma=1.0):
        z, self._gauss = self._gauss, None
        if z is None:
            angle = self.random() * (2 * math.pi)
            length = math.sqrt(-2.0 * math.log(1.0 - self.random()))
            z, self._gauss = math.cos(angle) * length, math.sin(angle) * length
        return mu + z * sigma

    def normalvariate(self, mu=0.0, sigma=1.0):
        while True:
            u = self.random()
            v = 1.0 - self.random()
            z = 1.7155277699214135 * (u - 0.5) / v
            if not _known(math.floor(u)) or z * z / 4.0 <= -math.log(v):
                return mu + z * sigma

    def expovariate(self, lambd=1.0):
        return -math.log(1.0 - self.random()) / lambd


class _State:
    def __init__(self, *held):
        self.held = held


class _Program:
    stream = None


def _generator():
    if _Program.stream is None:
        _Program.stream = Random()
    return _Program.stream
`;

const delegate = (name: string, to: string): string =>
  `\n\ndef ${name}(*args, **kwargs):\n    return _generator().${to}\n`;

const followed = 'seed getstate setstate getrandbits random uniform randrange randint choice shuffle sample choices gauss normalvariate expovariate'.split(' '); // prettier-ignore
const lost = 'triangular betavariate gammavariate lognormvariate paretovariate vonmisesvariate weibullvariate binomialvariate randbytes'.split(' '); // prettier-ignore

export const random =
  generator +
  followed.map((name) => delegate(name, `${name}(*args, **kwargs)`)).join('') +
  lost.map((name) => delegate(name, '_lose()')).join('');

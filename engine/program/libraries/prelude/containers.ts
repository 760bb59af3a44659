/** `torch.nn`'s modules that hold others, from their documented definitions, in Python. */
export const containers = String.raw`
class Sequential(Module):
    def __init__(self, *args):
        super().__init__()
        self._order = []
        if len(args) == 1 and isinstance(args[0], dict):
            for name, module in args[0].items():
                self._add(name, module)
        else:
            for module in args:
                self._add(str(len(self._order)), module)

    def _add(self, name, module):
        setattr(self, name, module)
        self._order.append(name)

    def append(self, module):
        self._add(str(len(self._order)), module)
        return self

    def __len__(self):
        return len(self._order)

    def __iter__(self):
        return iter([getattr(self, name) for name in self._order])

    def __getitem__(self, index):
        if isinstance(index, slice):
            return Sequential(*[getattr(self, name) for name in self._order[index]])
        return getattr(self, self._order[index])

    def forward(self, input):
        for name in self._order:
            input = getattr(self, name)(input)
        return input


class ModuleList(Module):
    def __init__(self, modules=None):
        super().__init__()
        self._size = 0
        for module in modules or []:
            self.append(module)

    def append(self, module):
        setattr(self, str(self._size), module)
        self._size = self._size + 1
        return self

    def extend(self, modules):
        for module in modules:
            self.append(module)
        return self

    def __len__(self):
        return self._size

    def __iter__(self):
        return iter([getattr(self, str(i)) for i in range(self._size)])

    def __getitem__(self, index):
        if isinstance(index, slice):
            return ModuleList([getattr(self, str(i)) for i in range(self._size)][index])
        return getattr(self, str(range(self._size)[index]))


class ModuleDict(Module):
    def __init__(self, modules=None):
        super().__init__()
        self._names = []
        for name, module in (modules or {}).items():
            self[name] = module

    def __setitem__(self, name, module):
        setattr(self, name, module)
        self._names.append(name)

    def __getitem__(self, name):
        return getattr(self, name)

    def __contains__(self, name):
        return name in self._names

    def __len__(self):
        return len(self._names)

    def __iter__(self):
        return iter(self._names)

    def keys(self):
        return self._names

    def values(self):
        return [getattr(self, name) for name in self._names]

    def items(self):
        return [(name, getattr(self, name)) for name in self._names]


class ParameterList(Module):
    def __init__(self, values=None):
        super().__init__()
        self._size = 0
        for value in values or []:
            self.append(value)

    def append(self, value):
        setattr(self, str(self._size), value)
        self._size = self._size + 1
        return self

    def __len__(self):
        return self._size

    def __iter__(self):
        return iter([getattr(self, str(i)) for i in range(self._size)])

    def __getitem__(self, index):
        return getattr(self, str(range(self._size)[index]))
`;

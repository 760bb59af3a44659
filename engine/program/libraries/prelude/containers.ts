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
            return self.__class__({name: getattr(self, name) for name in self._order[index]})
        return getattr(self, self._order[index])

    def __setitem__(self, index, module):
        setattr(self, self._order[index], module)

    def insert(self, index, module):
        held = list(self)
        held.insert(index, module)
        self._order = []
        return self.extend(held)

    def extend(self, modules):
        for module in modules:
            self.append(module)
        return self

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
            return self.__class__(list(self)[index])
        return getattr(self, str(range(self._size)[index]))

    def __setitem__(self, index, module):
        setattr(self, str(range(self._size)[index]), module)

    def insert(self, index, module):
        held = list(self)
        held.insert(index, module)
        self._size = 0
        self.extend(held)

    def __add__(self, other):
        return ModuleList(list(self) + list(other))

    def __iadd__(self, other):
        return self.extend(other)


class ModuleDict(Module):
    def __init__(self, modules=None):
        super().__init__()
        self._names = []
        self.update(modules or {})

    def update(self, modules):
        for name, module in modules.items() if hasattr(modules, 'items') else modules:
            self[name] = module

    def __setitem__(self, name, module):
        setattr(self, name, module)
        if name not in self._names:
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


def _parameter(value):
    return Parameter(value) if isinstance(value, torch.Tensor) and not isinstance(value, Parameter) else value


class ParameterDict(ModuleDict):
    def __setitem__(self, name, value):
        super().__setitem__(name, _parameter(value))


class ParameterList(Module):
    def __init__(self, values=None):
        super().__init__()
        self._size = 0
        self.extend(values or [])

    def append(self, value):
        setattr(self, str(self._size), _parameter(value))
        self._size = self._size + 1
        return self

    def extend(self, values):
        for value in values:
            self.append(value)
        return self

    def __setitem__(self, index, value):
        setattr(self, str(range(self._size)[index]), _parameter(value))

    def __len__(self):
        return self._size

    def __iter__(self):
        return iter([getattr(self, str(i)) for i in range(self._size)])

    def __getitem__(self, index):
        return getattr(self, str(range(self._size)[index]))
`;

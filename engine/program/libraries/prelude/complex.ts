/**
 * Complex tensors as rotary positions use them (Su et al. 2021, equation 13), in Python: pairs of real numbers along one more axis at the end, of
 * which views, products and sums are made. What else complex numbers can do is not followed.
 */
export const complex = String.raw`
class ComplexTensor:
    def __init__(self, parts):
        self._parts = parts

    @property
    def shape(self):
        return self._parts.shape[:-1]

    @property
    def ndim(self):
        return self._parts.ndim - 1

    @property
    def real(self):
        return self._parts[..., 0]

    @property
    def imag(self):
        return self._parts[..., 1]

    @property
    def device(self):
        return self._parts.device

    def size(self, dim=None):
        return self.shape if dim is None else self.shape[dim]

    def dim(self):
        return self.ndim

    def numel(self):
        return self._parts.numel() // 2

    def to(self, *args, **kwargs):
        return self

    def cuda(self, *args):
        return self

    def cpu(self):
        return self

    def detach(self):
        return self

    def contiguous(self):
        return ComplexTensor(self._parts.contiguous())

    def clone(self):
        return ComplexTensor(self._parts.clone())

    def unsqueeze(self, dim):
        return ComplexTensor(self._parts.unsqueeze(dim if dim >= 0 else dim - 1))

    def squeeze(self, dim):
        return ComplexTensor(self._parts.squeeze(dim if dim >= 0 else dim - 1))

    def transpose(self, dim0, dim1):
        return ComplexTensor(self._parts.transpose(dim0 if dim0 >= 0 else dim0 - 1, dim1 if dim1 >= 0 else dim1 - 1))

    def view(self, *shape):
        return ComplexTensor(self._parts.view(*_sizes(shape), 2))

    def reshape(self, *shape):
        return ComplexTensor(self._parts.reshape(*_sizes(shape), 2))

    def expand(self, *shape):
        return ComplexTensor(self._parts.expand(*_sizes(shape), 2))

    def flatten(self, start_dim=0, end_dim=-1):
        return ComplexTensor(self._parts.flatten(start_dim, end_dim if end_dim >= 0 else end_dim - 1))

    def repeat(self, *times):
        return ComplexTensor(self._parts.repeat(*_sizes(times), 1))

    def conj(self):
        return torch.complex(self.real, -self.imag)

    def abs(self):
        return torch.sqrt(self.real * self.real + self.imag * self.imag)

    def angle(self):
        return torch.atan2(self.imag, self.real)

    def __len__(self):
        return self.shape[0]

    def __getitem__(self, key):
        keys = key if isinstance(key, tuple) else (key,)
        return ComplexTensor(self._parts[(*keys, slice(None)) if any(one is Ellipsis for one in keys) else keys])

    def __mul__(self, other):
        if isinstance(other, ComplexTensor):
            a, b, c, d = self.real, self.imag, other.real, other.imag
            return torch.complex(a * c - b * d, a * d + b * c)
        return torch.complex(self.real * other, self.imag * other)

    def __rmul__(self, other):
        return torch.complex(other * self.real, other * self.imag)

    def __add__(self, other):
        if isinstance(other, ComplexTensor):
            return torch.complex(self.real + other.real, self.imag + other.imag)
        return torch.complex(self.real + other, self.imag)

    def __sub__(self, other):
        if isinstance(other, ComplexTensor):
            return torch.complex(self.real - other.real, self.imag - other.imag)
        return torch.complex(self.real - other, self.imag)


def _sizes(sizes):
    return tuple(sizes[0]) if len(sizes) == 1 and isinstance(sizes[0], (tuple, list)) else sizes


def complex(real, imag):
    return ComplexTensor(torch.stack((real, imag), dim=-1))


def polar(abs, angle):
    return ComplexTensor(torch.stack((abs * torch.cos(angle), abs * torch.sin(angle)), dim=-1))


def view_as_complex(input):
    if input.shape[-1] != 2:
        raise RuntimeError("Tensor must have a last dimension of size 2")
    return ComplexTensor(input)


def view_as_real(input):
    return input._parts


def real(input):
    return input.real


def imag(input):
    return input.imag


def is_complex(input):
    return isinstance(input, ComplexTensor)
`;

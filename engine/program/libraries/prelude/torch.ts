/** Functions of PyTorch as its documentation defines them, in Python. */
export const moreOfTorch = String.raw`
def tril_indices(row, col, offset=0, dtype=None, device=None, layout=None):
    return torch.stack([torch.from_numpy(places) for places in np.tril_indices(row, offset, col)])


def triu_indices(row, col, offset=0, dtype=None, device=None, layout=None):
    return torch.stack([torch.from_numpy(places) for places in np.triu_indices(row, offset, col)])


def multinomial(input, num_samples, replacement=False, generator=None, out=None):
    return _unfollowed(torch.zeros(*input.shape[:-1], num_samples, dtype=torch.int64), 'torch.multinomial')


def nan_to_num(input, nan=0.0, posinf=None, neginf=None, out=None):
    limits = torch.finfo(input.dtype)
    whole = torch.where(torch.isnan(input), torch.full_like(input, nan), input)
    upper = torch.where(whole == float('inf'), torch.full_like(input, limits.max if posinf is None else posinf), whole)
    return torch.where(upper == float('-inf'), torch.full_like(input, limits.min if neginf is None else neginf), upper)


def isclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    near = (torch.abs(input - other) <= atol + rtol * torch.abs(other)) & torch.isfinite(other) | (input == other)
    return near | (torch.isnan(input) & torch.isnan(other)) if equal_nan else near


def unfold(input, dimension, size, step):
    axis = dimension % input.dim()
    starts = range(0, input.shape[axis] - size + 1, step)
    return torch.stack([input.narrow(axis, start, size).movedim(axis, -1) for start in starts], axis)


def new(input, *args):
    return torch.Tensor(*args).to(input.dtype)


def new_tensor(input, data, dtype=None, device=None, requires_grad=False):
    return torch.tensor(data, dtype=input.dtype if dtype is None else dtype)


def take_along_dim(input, indices, dim):
    return torch.gather(input, dim, indices)


def diag_embed(input):
    return torch.eye(input.shape[-1], dtype=input.dtype) * input.unsqueeze(-1)


def fill_diagonal(input, fill_value):
    return torch.where(torch.eye(*input.shape, dtype=torch.bool), torch.full_like(input, fill_value), input)


def nonzero(input, *, as_tuple=False):
    places = torch.where(input != 0)
    return places if as_tuple else torch.stack(places, dim=1)


def bernoulli(input, p=None, generator=None, out=None):
    return _unfollowed(torch.zeros_like(input), 'torch.bernoulli')


def tensordot(a, b, dims=2, out=None):
    if isinstance(dims, int):
        dims = (list(range(a.dim() - dims, a.dim())), list(range(dims)))
    ours, theirs = [[dim % x.dim() for dim in one] for one, x in zip(dims, (a, b))]
    if [a.shape[dim] for dim in ours] != [b.shape[dim] for dim in theirs]:
        raise RuntimeError('contracted dimensions need to match')
    left = [dim for dim in range(a.dim()) if dim not in ours]
    right = [dim for dim in range(b.dim()) if dim not in theirs]
    n = math.prod([a.shape[dim] for dim in ours])
    rows = a.permute(left + ours).reshape(math.prod([a.shape[dim] for dim in left]), n)
    columns = b.permute(theirs + right).reshape(n, math.prod([b.shape[dim] for dim in right]))
    return (rows @ columns).reshape([a.shape[dim] for dim in left] + [b.shape[dim] for dim in right])


def kron(input, other):
    n = max(input.dim(), other.dim())
    ours, theirs = [1] * (n - input.dim()) + list(input.shape), [1] * (n - other.dim()) + list(other.shape)
    apart = input.reshape([x for size in ours for x in (size, 1)]) * other.reshape([x for size in theirs for x in (1, size)])
    return apart.reshape([x * y for x, y in zip(ours, theirs)])


def diff(input, n=1, dim=-1, prepend=None, append=None):
    made = torch.cat([part for part in (prepend, input, append) if part is not None], dim=dim)
    for _ in range(n):
        size = made.shape[dim]
        made = made.narrow(dim, 1, size - 1) - made.narrow(dim, 0, size - 1)
    return made


def trace(input):
    return input.diagonal().sum()


def block_diag(*tensors):
    parts = [torch.atleast_2d(x) for x in tensors]
    width = sum([x.shape[1] for x in parts])
    rows, start = [], 0
    for x in parts:
        rows.append(torch.cat([x.new_zeros(x.shape[0], start), x, x.new_zeros(x.shape[0], width - start - x.shape[1])], dim=1))
        start += x.shape[1]
    return torch.cat(rows, dim=0)


def cartesian_prod(*tensors):
    return torch.stack([x.flatten() for x in torch.meshgrid(*tensors, indexing='ij')], dim=-1)


def rot90(input, k=1, dims=(0, 1)):
    k = k % 4
    if k % 2:
        input = input.transpose(*dims)
    return input.flip([[], [dims[0]], list(dims), [dims[1]]][k])


def searchsorted(sorted_sequence, input, *, out_int32=False, right=False, side=None, sorter=None):
    at = torch.as_tensor(input)
    kept = sorted_sequence.unsqueeze(-2) if sorted_sequence.dim() > 1 else sorted_sequence
    return (kept <= at[..., None] if right or side == 'right' else kept < at[..., None]).sum(-1)


def bucketize(input, boundaries, *, out_int32=False, right=False):
    return searchsorted(boundaries, input, right=right)


def bincount(input, weights=None, minlength=0):
    hits = input == torch.arange(max(minlength, int(input.max()) + 1 if input.numel() else 0))[:, None]
    return hits.sum(1) if weights is None else torch.where(hits, weights, 0.0).sum(1)


def unique(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    if dim is not None:
        return _unfollowed(input.clone(), 'torch.unique(dim=)')
    flat = input.flatten()
    ordered = torch.sort(flat).values
    values = ordered[torch.cat([torch.ones(min(1, flat.numel()), dtype=torch.bool), ordered[1:] != ordered[:-1]])]
    same = flat == values[:, None]
    more = [x for asked, x in ((return_inverse, same.int().argmax(0).reshape(input.shape)), (return_counts, same.sum(1))) if asked]
    return (values, *more) if more else values


def isin(elements, test_elements, *, assume_unique=False, invert=False):
    found = (torch.as_tensor(elements)[..., None] == torch.as_tensor(test_elements).flatten()).any(-1)
    return ~found if invert else found


def index_add(input, dim, index, source, *, alpha=1):
    places = index.reshape([-1 if i == dim % input.dim() else 1 for i in range(input.dim())]).expand_as(source)
    return torch.scatter_add(input, dim, places, source * alpha if alpha != 1 else source)


def index_copy(input, dim, index, source):
    return torch.scatter(input, dim, index.reshape([-1 if i == dim % input.dim() else 1 for i in range(input.dim())]).expand_as(source), source)


def masked_scatter(input, mask, source):
    whole = mask.expand_as(input)
    return torch.where(whole, source.flatten()[(whole.flatten().cumsum(0) - 1).clamp(min=0)].reshape(input.shape), input)


def take(input, index):
    return input.flatten()[index]


def lerp(input, end, weight):
    return torch.where(torch.as_tensor(weight) < 0.5, input + weight * (end - input), end - (end - input) * (1 - weight))


def addcmul(input, tensor1, tensor2, *, value=1):
    return input + value * tensor1 * tensor2


def addcdiv(input, tensor1, tensor2, *, value=1):
    return input + value * (tensor1 / tensor2)


def cdist(x1, x2, p=2.0, compute_mode=None):
    return torch.linalg.vector_norm(x1.unsqueeze(-2) - x2.unsqueeze(-3), p, dim=-1)


def chain_matmul(*matrices):
    made = matrices[0]
    for other in matrices[1:]:
        made = made @ other
    return made


def var_mean(input, dim=None, **kwargs):
    return input.var(dim, **kwargs), input.mean(dim, keepdim=kwargs.get('keepdim', False))


def std_mean(input, dim=None, **kwargs):
    return input.std(dim, **kwargs), input.mean(dim, keepdim=kwargs.get('keepdim', False))


def logaddexp(input, other):
    return torch.where(input == other, input + math.log(2), torch.maximum(input, other) + torch.log1p(torch.exp(-torch.abs(input - other))))


def logcumsumexp(input, dim):
    top = input.amax(dim, keepdim=True)
    return torch.log(torch.cumsum(torch.exp(input - top), dim)) + top


def fmod(input, other):
    other = torch.as_tensor(other)
    return torch.sign(input) * torch.remainder(torch.abs(input), torch.abs(other))


def logit(input, eps=None):
    x = input if eps is None else input.clamp(eps, 1 - eps)
    return torch.log(x / (1 - x))


def hypot(input, other):
    return torch.sqrt(torch.square(input) + torch.square(other))


def heaviside(input, values):
    return torch.where(input == 0, values, (input > 0).to(input.dtype))


def nansum(input, dim=None, keepdim=False, *, dtype=None):
    return torch.sum(torch.where(torch.isnan(input), 0.0, input), dim, keepdim=keepdim)


def nanmean(input, dim=None, keepdim=False, *, dtype=None):
    return nansum(input, dim, keepdim) / torch.sum(~torch.isnan(input), dim, keepdim=keepdim)


def quantile(input, q, dim=None, keepdim=False, *, interpolation='linear', out=None):
    if interpolation != 'linear':
        return _unfollowed(input.amax(dim or 0, keepdim=keepdim), 'torch.quantile(interpolation=)')
    ordered = torch.sort(input.flatten() if dim is None else input.movedim(dim, 0), 0).values
    at = torch.as_tensor(q, dtype=input.dtype) * (ordered.shape[0] - 1)
    low = at.floor().long()
    share = (at - low).reshape(at.shape + (1,) * (ordered.dim() - 1))
    found = lerp(ordered[low], ordered[(low + 1).clamp(max=ordered.shape[0] - 1)], share)
    return found.unsqueeze((dim or 0) + at.dim()) if keepdim else found


def column_stack(tensors):
    return torch.cat([x[:, None] if x.dim() < 2 else x for x in tensors], dim=1)


def tensor_split(input, indices_or_sections, dim=0):
    size, n = input.shape[dim], indices_or_sections
    ends = [i * (size // n) + min(i, size % n) for i in range(1, n)] if isinstance(n, int) else list(n)
    return tuple([input.narrow(dim, start, max(0, end - start)) for start, end in zip([0] + ends, [min(end, size) for end in ends] + [size])])


def logspace(start, end, steps, base=10.0, **kwargs):
    return torch.pow(base, torch.linspace(start, end, steps, **kwargs))


def msort(input):
    return torch.sort(input, 0).values


def combinations(input, r=2, with_replacement=False):
    n = input.shape[0]
    if r != 2:
        return _unfollowed(input[None], 'torch.combinations(r=)')
    return torch.stack([input[[i, j]] for i in range(n) for j in range(i if with_replacement else i + 1, n)])
`;

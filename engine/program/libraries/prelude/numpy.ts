/** Functions of NumPy as its documentation defines them, in Python. */
export const moreOfNumpy = String.raw`
def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    a, b = np.asarray(a), np.asarray(b)
    near = (np.abs(a - b) <= atol + rtol * np.abs(b)) & np.isfinite(b) | (a == b)
    return near | (np.isnan(a) & np.isnan(b)) if equal_nan else near


def column_stack(tup):
    columns = [np.asarray(a) for a in tup]
    return np.concatenate([a[:, None] if a.ndim < 2 else a for a in columns], axis=1)


def _flat(a, axis):
    a = np.asarray(a)
    return (a.ravel(), 0) if axis is None else (a, axis % a.ndim)


def _axes(axes, ndim):
    return [axis % ndim for axis in ([axes] if isinstance(axes, int) else axes)]


def tensordot(a, b, axes=2):
    a, b = np.asarray(a), np.asarray(b)
    if isinstance(axes, int):
        axes = (list(range(a.ndim - axes, a.ndim)), list(range(axes)))
    ours, theirs = _axes(axes[0], a.ndim), _axes(axes[1], b.ndim)
    if [a.shape[axis] for axis in ours] != [b.shape[axis] for axis in theirs]:
        raise ValueError('shape-mismatch for sum')
    left = [axis for axis in range(a.ndim) if axis not in ours]
    right = [axis for axis in range(b.ndim) if axis not in theirs]
    n = math.prod([a.shape[axis] for axis in ours])
    rows = a.transpose(left + ours).reshape(math.prod([a.shape[axis] for axis in left]), n)
    columns = b.transpose(theirs + right).reshape(n, math.prod([b.shape[axis] for axis in right]))
    return (rows @ columns).reshape([a.shape[axis] for axis in left] + [b.shape[axis] for axis in right])


def inner(a, b):
    a, b = np.asarray(a), np.asarray(b)
    return a * b if a.ndim == 0 or b.ndim == 0 else tensordot(a, b, (-1, -1))


def vdot(a, b):
    return np.dot(np.ravel(a), np.ravel(b))


def kron(a, b):
    a, b = np.asarray(a), np.asarray(b)
    n = max(a.ndim, b.ndim)
    ours, theirs = [1] * (n - a.ndim) + list(a.shape), [1] * (n - b.ndim) + list(b.shape)
    apart = a.reshape([x for size in ours for x in (size, 1)]) * b.reshape([x for size in theirs for x in (1, size)])
    return apart.reshape([x * y for x, y in zip(ours, theirs)])


def ptp(a, axis=None, out=None, keepdims=False):
    return np.max(a, axis=axis, keepdims=keepdims) - np.min(a, axis=axis, keepdims=keepdims)


def ix_(*args):
    rows = [np.asarray(a) for a in args]
    rows = [np.nonzero(a)[0] if a.dtype == bool else a for a in rows]
    return tuple([a.reshape([-1 if i == j else 1 for j in range(len(rows))]) for i, a in enumerate(rows)])


def diff(a, n=1, axis=-1, prepend=None, append=None):
    a = np.asarray(a)
    axis = axis % a.ndim
    ends = [None if end is None else np.asarray(end) for end in (prepend, append)]
    ends = [end if end is None or end.ndim else np.broadcast_to(end, [1 if i == axis else size for i, size in enumerate(a.shape)]) for end in ends]
    a = np.concatenate([part for part in (ends[0], a, ends[1]) if part is not None], axis=axis)
    for _ in range(n):
        before = (slice(None),) * axis
        a = a[before + (slice(1, None),)] != a[before + (slice(None, -1),)] if a.dtype == bool else a[before + (slice(1, None),)] - a[before + (slice(None, -1),)]
    return a


def trace(a, offset=0, axis1=0, axis2=1):
    return np.sum(np.diagonal(np.asarray(a), offset, axis1, axis2), axis=-1)


def unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None):
    if axis is not None:
        return _unfollowed(np.asarray(ar), 'np.unique(axis=)')
    ar = np.asarray(ar)
    flat = ar.ravel()
    ordered = np.sort(flat)
    values = ordered[np.concatenate([np.ones(min(1, ordered.size), dtype=bool), ordered[1:] != ordered[:-1]])]
    same = flat == values[:, None]
    more = [x for asked, x in ((return_index, same.argmax(1)), (return_inverse, same.argmax(0).reshape(ar.shape)), (return_counts, same.sum(1))) if asked]
    return (values, *more) if more else values


def searchsorted(a, v, side='left', sorter=None):
    v = np.asarray(v)[..., None]
    return np.sum(a < v if side == 'left' else a <= v, axis=-1)


def digitize(x, bins, right=False):
    bins = np.asarray(bins)
    if bins.size > 1 and bins[0] > bins[-1]:
        return np.sum(bins >= np.asarray(x)[..., None] if right else bins > np.asarray(x)[..., None], axis=-1)
    return searchsorted(bins, x, 'left' if right else 'right')


def bincount(x, weights=None, minlength=0):
    x = np.asarray(x)
    hits = x == np.arange(max(minlength, int(x.max()) + 1 if x.size else 0))[:, None]
    return hits.sum(1) if weights is None else np.where(hits, np.asarray(weights) * 1.0, 0.0).sum(1)


def _places(n, before, after, mode):
    around = range(-before, n + after)
    if mode == 'edge':
        return [min(max(i, 0), n - 1) for i in around]
    if mode == 'wrap':
        return [i % n for i in around]
    turn = 2 * n if mode == 'symmetric' else max(1, 2 * n - 2)
    return [i % turn if i % turn < n else 2 * n - 1 - i % turn if mode == 'symmetric' else turn - i % turn for i in around]


def pad(array, pad_width, mode='constant', constant_values=0, **kwargs):
    array = np.asarray(array)
    widths = np.broadcast_to(np.asarray(pad_width), (array.ndim, 2)).tolist()
    fills = np.broadcast_to(np.asarray(constant_values), (array.ndim, 2))
    if mode not in ('constant', 'edge', 'wrap', 'reflect', 'symmetric') or kwargs:
        return _unfollowed(np.zeros([size + sum(width) for size, width in zip(array.shape, widths)]), f'np.pad(mode={mode})')
    for axis, (before, after) in enumerate(widths):
        if mode != 'constant':
            array = np.take(array, _places(array.shape[axis], before, after, mode), axis=axis)
        else:
            sizes = [[width if i == axis else size for i, size in enumerate(array.shape)] for width in (before, after)]
            array = np.concatenate([np.full(sizes[0], fills[axis, 0], dtype=array.dtype), array, np.full(sizes[1], fills[axis, 1], dtype=array.dtype)], axis=axis)
    return array


def _nested(arrays):
    return 1 + _nested(arrays[0]) if isinstance(arrays, list) else 0


def _joined(arrays, axis):
    return np.concatenate([_joined(one, axis + 1) for one in arrays], axis=axis) if isinstance(arrays, list) else np.atleast_2d(arrays) if axis == 0 else np.atleast_1d(arrays)


def block(arrays):
    depth = _nested(arrays)
    return _joined(arrays, -depth)


def _middle(a, q, axis, keepdims):
    a, axis = _flat(a, axis)
    ordered = np.moveaxis(np.sort(a, axis=axis), axis, 0) * 1.0
    at = np.asarray(q) * (ordered.shape[0] - 1)
    low = np.floor(at).astype(int)
    share = (at - low).reshape(at.shape + (1,) * (ordered.ndim - 1))
    left, right = ordered[low], ordered[np.minimum(low + 1, ordered.shape[0] - 1)]
    found = np.where(share >= 0.5, right - (right - left) * (1 - share), left + (right - left) * share)
    return np.expand_dims(found, axis + at.ndim) if keepdims else found


def quantile(a, q, axis=None, *, keepdims=False):
    return _middle(a, q, axis, keepdims)


def percentile(a, q, axis=None, *, keepdims=False):
    return _middle(a, np.asarray(q) / 100, axis, keepdims)


def median(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    a, axis = _flat(a, axis)
    n = a.shape[axis]
    return np.mean(np.take(np.sort(a, axis=axis), [(n - 1) // 2, n // 2], axis=axis), axis=axis, keepdims=keepdims)


def nansum(a, axis=None, keepdims=False):
    a = np.asarray(a)
    return np.sum(np.where(np.isnan(a), 0, a), axis=axis, keepdims=keepdims)


def nanmean(a, axis=None, keepdims=False):
    a = np.asarray(a)
    return nansum(a, axis, keepdims) / np.sum(~np.isnan(a), axis=axis, keepdims=keepdims)


def nanmax(a, axis=None, keepdims=False):
    a = np.asarray(a)
    return np.max(np.where(np.isnan(a), -np.inf, a), axis=axis, keepdims=keepdims)


def nanmin(a, axis=None, keepdims=False):
    return -nanmax(-np.asarray(a), axis, keepdims)


def logaddexp(x1, x2):
    x1, x2 = np.asarray(x1), np.asarray(x2)
    return np.where(x1 == x2, x1 + math.log(2), np.maximum(x1, x2) + np.log1p(np.exp(-np.abs(x1 - x2))))


def rint(x):
    return np.round(np.asarray(x) * 1.0)


def fix(x):
    return np.trunc(np.asarray(x) * 1.0)


def fmod(x1, x2):
    return np.sign(x1) * np.mod(np.abs(x1), np.abs(x2))


def hypot(x1, x2):
    return np.sqrt(np.square(np.asarray(x1) * 1.0) + np.square(np.asarray(x2) * 1.0))


def ndindex(*shape):
    made = [()]
    for size in shape[0] if len(shape) == 1 and isinstance(shape[0], tuple) else shape:
        made = [one + (i,) for one in made for i in range(size)]
    return iter(made)


def diagflat(v, k=0):
    return np.diag(np.ravel(v), k)


def unravel_index(indices, shape, order='C'):
    made, indices = [], np.asarray(indices)
    for size in list(shape)[::-1]:
        made.insert(0, indices % size)
        indices = indices // size
    return tuple(made)


def histogram(a, bins=10, range=None, density=None, weights=None):
    a = np.ravel(a)
    if isinstance(bins, int):
        low, high = (a.min(), a.max()) if range is None else range
        bins = np.linspace(*((low, high) if low != high else (low - 0.5, high + 0.5)), bins + 1)
    bins = np.asarray(bins)
    held = (a >= bins[:-1, None]) & np.concatenate([a < bins[1:-1, None], a <= bins[-1:, None]])
    counts = held.sum(1) if weights is None else np.where(held, np.ravel(weights), 0.0).sum(1)
    return (counts / np.diff(bins) / counts.sum() if density else counts), bins


def interp(x, xp, fp):
    x, xp, fp = np.asarray(x) * 1.0, np.asarray(xp) * 1.0, np.asarray(fp) * 1.0
    at = np.clip(searchsorted(xp, x, 'right') - 1, 0, xp.size - 2)
    slope = (fp[at + 1] - fp[at]) / (xp[at + 1] - xp[at])
    return np.where(x >= xp[-1], fp[-1], np.where(x < xp[0], fp[0], slope * (x - xp[at]) + fp[at]))[()]


def average(a, axis=None, weights=None):
    a = np.asarray(a)
    if weights is None:
        return np.mean(a, axis=axis)
    weights = np.asarray(weights)
    if weights.shape != a.shape:
        weights = weights.reshape([-1 if i == axis % a.ndim else 1 for i in range(a.ndim)]) + np.zeros(a.shape)
    return np.sum(a * weights, axis=axis) / np.sum(weights, axis=axis)


def union1d(ar1, ar2):
    return unique(np.concatenate([np.ravel(ar1), np.ravel(ar2)]))


def intersect1d(ar1, ar2):
    ar1 = unique(ar1)
    return ar1[isin(ar1, ar2)]


def setdiff1d(ar1, ar2):
    ar1 = unique(ar1)
    return ar1[~isin(ar1, ar2)]


def _range(one):
    return np.arange(0 if one.start is None else one.start, one.stop, 1 if one.step is None else one.step)


class _r_:
    def _part(self, one):
        return _range(one) if isinstance(one, slice) else _open('np.r_') if isinstance(one, str) else np.asarray(one)

    def __getitem__(self, key):
        return np.concatenate([np.atleast_1d(self._part(one)) for one in (key if isinstance(key, tuple) else (key,))])


class _c_(_r_):
    def __getitem__(self, key):
        parts = [np.atleast_1d(self._part(one)) for one in (key if isinstance(key, tuple) else (key,))]
        return np.concatenate([one[:, None] if one.ndim < 2 else one for one in parts], axis=-1)


class _mgrid:
    def __getitem__(self, key):
        return np.stack(np.meshgrid(*[_range(one) for one in key], indexing='ij')) if isinstance(key, tuple) else _range(key)

def isin(element, test_elements, assume_unique=False, invert=False):
    found = np.any(np.asarray(element)[..., None] == np.ravel(test_elements), axis=-1)
    return ~found if invert else found


def argwhere(a):
    return np.stack(np.nonzero(np.asarray(a)), axis=1)


def flatnonzero(a):
    return np.nonzero(np.ravel(a))[0]


def select(condlist, choicelist, default=0):
    made = np.asarray(default)
    for condition, choice in list(zip(condlist, choicelist))[::-1]:
        made = np.where(condition, choice, made)
    return made


def rot90(m, k=1):
    m = np.asarray(m)
    k = k % 4
    if k == 2:
        return m[::-1, ::-1]
    return m if k == 0 else np.swapaxes(m, 0, 1)[::-1] if k == 1 else np.swapaxes(m, 0, 1)[:, ::-1]


def vectorize(pyfunc, otypes=None, **kwargs):
    def each(*args):
        arrays = np.broadcast_arrays(*args)
        made = [pyfunc(*[x[()] for x in row]) for row in zip(*[a.ravel() for a in arrays])]
        return np.array(made).astype(np.asarray(made[0]).dtype if otypes is None else otypes[0]).reshape(arrays[0].shape)
    return each


def broadcast_arrays(*args):
    arrays = [np.asarray(a) for a in args]
    shape = broadcast_shapes(*[a.shape for a in arrays])
    return [np.broadcast_to(a, shape) for a in arrays]


def broadcast_shapes(*args):
    made = np.zeros(())
    for shape in args:
        made = made + np.zeros(shape)
    return made.shape


def apply_along_axis(func1d, axis, arr, *args, **kwargs):
    arr = np.moveaxis(np.asarray(arr), axis, -1)
    rows = [np.asarray(func1d(row, *args, **kwargs)) for row in arr.reshape(-1, arr.shape[-1])]
    made = np.stack(rows).reshape(arr.shape[:-1] + rows[0].shape)
    return np.moveaxis(made, -1, axis) if rows[0].ndim == 1 else made if rows[0].ndim == 0 else _unfollowed(made, 'np.apply_along_axis')


def indices(dimensions, dtype=int):
    return np.stack(np.meshgrid(*[np.arange(size, dtype=dtype) for size in dimensions], indexing='ij'))


def fromfunction(function, shape, *, dtype=float, **kwargs):
    return function(*indices(shape, dtype), **kwargs)


def logspace(start, stop, num=50, endpoint=True, base=10.0):
    return np.power(base, np.linspace(start, stop, num, endpoint))


def append(arr, values, axis=None):
    return np.concatenate([np.ravel(arr), np.ravel(values)]) if axis is None else np.concatenate([np.asarray(arr), np.asarray(values)], axis=axis)


def delete(arr, obj, axis=None):
    arr, axis = _flat(arr, axis)
    n = arr.shape[axis]
    gone = list(range(n))[obj] if isinstance(obj, slice) else np.atleast_1d(obj)
    gone = [int(i) % n for i in (np.nonzero(gone)[0] if isinstance(gone, np.ndarray) and gone.dtype == bool else gone)]
    return np.take(arr, [i for i in range(n) if i not in gone], axis=axis)


def resize(a, new_shape):
    flat = np.ravel(a)
    n = math.prod(new_shape) if isinstance(new_shape, (tuple, list)) else new_shape
    return flat[np.arange(n) % flat.size].reshape(new_shape)


def _outer(function, a, b):
    a, b = np.asarray(a), np.asarray(b)
    return function(a.reshape(a.shape + (1,) * b.ndim), b)


def _accumulate(function, array, axis=0):
    array = np.asarray(array)
    parts = [np.take(array, 0, axis=axis)]
    for i in range(1, array.shape[axis]):
        parts.append(function(parts[-1], np.take(array, i, axis=axis)))
    return np.stack(parts, axis=axis)


def _reduce(function, array, axis=0):
    return np.take(_accumulate(function, array, axis), -1, axis=axis)


def _at(function, a, indices, b):
    indices = np.asarray(indices)
    b = np.broadcast_to(np.asarray(b), indices.shape + a.shape[1:])
    for i, place in enumerate(indices.ravel()):
        a[place] = function(a[place], b.reshape(-1, *a.shape[1:])[i])


def sliding_window_view(x, window_shape, axis=None):
    x = np.asarray(x)
    size = window_shape if isinstance(window_shape, int) else window_shape[0]
    axis = 0 if axis is None else axis % x.ndim
    starts = x.shape[axis] - size + 1
    return np.stack([np.take(x, list(range(i, i + starts)), axis=axis) for i in range(size)], axis=-1)
`;

export const numpyLinalg = String.raw`
def matrix_power(a, n):
    made = np.eye(a.shape[-1], dtype=a.dtype)
    for _ in range(n):
        made = made @ a
    return made


def multi_dot(arrays):
    made = np.asarray(arrays[0])
    for other in arrays[1:]:
        made = made @ np.asarray(other)
    return made
`;

/** The shuffle of `RandomState`, which `_order` draws. */
export const numpyRandom = String.raw`
def permutation(x):
    return np.random._order(x) if isinstance(x, int) else np.asarray(x)[np.random._order(len(x))]


def shuffle(x):
    order = np.random._order(len(x))
    x[:] = x[order] if isinstance(x, np.ndarray) else [x[i] for i in order.tolist()]


def choice(a, size=None, replace=True, p=None):
    held = a if isinstance(a, int) else np.asarray(a)
    n = held if isinstance(a, int) else held.shape[0]
    shape = () if size is None else (size,) if isinstance(size, int) else tuple(size)
    count = math.prod(shape)
    if not replace and count > n:
        raise ValueError("Cannot take a larger sample than population when 'replace=False'")
    if p is None:
        at = np.random.randint(0, n, size=size) if replace else np.random._order(n)[:count].reshape(shape)
    elif not replace:
        return np.random._choice_of(a, size)
    else:
        share = np.cumsum(np.asarray(p) * 1.0)
        if np.abs(share[-1] - 1) > 1e-8:
            raise ValueError('probabilities do not sum to 1')
        at = np.searchsorted(share / share[-1], np.random.random_sample(size), side='right')
    if size is None:
        at = int(at)
    return at if isinstance(a, int) else held[at]
`;

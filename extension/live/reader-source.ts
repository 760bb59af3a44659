/**
 * What is evaluated in the reader's process: a function that describes values and gives their bytes, and changes nothing there. It is executed in a
 * dictionary of its own, so that no name is bound in the program; it runs no code of the program (no property, no `__getattr__`, no subclass's
 * functions) unless the reader asked for an expression. Its answer is `EA1:` and base64, or `EA1!` and base64 of why there is none: adapters report
 * errors as if they were values, and quote texts.
 */
export const readerSource = String.raw`
def ea(ns, mode, arg):
    import sys, json, types
    from binascii import b2a_base64
    none = object()
    torch, np = sys.modules.get('torch'), sys.modules.get('numpy')
    torch = torch if hasattr(torch, 'Tensor') else None
    np = np if hasattr(np, 'ndarray') else None
    plain = {'float64', 'float32', 'float16', 'bfloat16', 'int64', 'int32', 'int16', 'int8', 'uint64', 'uint32', 'uint16', 'uint8', 'bool'}

    def own(o, n):
        t = type(o)
        v = next((c.__dict__[n] for c in t.__mro__ if n in c.__dict__), none)
        if isinstance(v, types.MemberDescriptorType):
            try: return v.__get__(o)
            except AttributeError: return none
        if v is not none and hasattr(type(v), '__set__'): return none
        try: d = object.__getattribute__(o, '__dict__')
        except Exception: d = {}
        if n in d: return d[n]
        for k in ('_parameters', '_buffers', '_modules'):
            m = d.get(k)
            if isinstance(m, dict) and n in m: return m[n]
        return none if v is none or hasattr(type(v), '__get__') else v

    def at(path):
        root, *rest = path.split('.')
        x = ns.get(root, none)
        for n in rest:
            if x is none: break
            x = own(x, n)
        return x

    def roots(t): return {str(c.__module__).split('.')[0] for c in t.__mro__}

    class quiet:
        def __enter__(self):
            self.all = [torch.no_grad(), torch._C.DisableTorchFunction()]
            dispatch = sys.modules.get('torch.utils._python_dispatch')
            if hasattr(dispatch, '_disable_current_modes'): self.all.append(dispatch._disable_current_modes())
            for c in self.all: c.__enter__()
        def __exit__(self, *e):
            for c in reversed(self.all): c.__exit__(None, None, None)

    def of_torch(x):
        t, get = type(x), lambda n: getattr(torch.Tensor, n).__get__(x)
        i = dict(kind='torch', type=t.__name__, dtype=str(get('dtype')).replace('torch.', ''), device=str(get('device')))
        if getattr(t, '__torch_dispatch__', None) is not getattr(torch.Tensor, '__torch_dispatch__', None): i['no'] = 'wrapped'
        elif hasattr(torch.Tensor, 'is_nested') and get('is_nested'): return dict(i, no='nested')
        i['shape'] = [d for d in get('shape')]
        if any(type(d) is not int for d in i['shape']):
            del i['shape']
            return dict(i, no='symbolic')
        inner = getattr(getattr(torch._C, '_functorch', None), 'is_functorch_wrapped_tensor', None)
        if 'no' in i: return i
        if get('is_quantized'): i['no'] = 'quantized'
        elif get('layout') != torch.strided: i['no'] = str(get('layout')).replace('torch.', '')
        elif i['device'] == 'meta': i['no'] = 'meta'
        elif inner is not None and inner(x): i['no'] = 'functorch'
        elif i['dtype'].startswith('float8'): i['wire'] = 'float32'
        elif i['dtype'] not in plain: i['no'] = 'dtype'
        return i

    def of_array(x, t, explicit):
        names = roots(t)
        if np is not None and np.ndarray in t.__mro__:
            i = dict(kind='numpy', type=t.__name__, shape=list(np.ndarray.shape.__get__(x)), dtype=np.ndarray.dtype.__get__(x).name)
            if any(str(c.__module__).startswith('numpy.ma') for c in t.__mro__): i['no'] = 'masked'
        elif 'tensorflow' in names and hasattr(t, 'dtype'):
            i = dict(kind='tensorflow', type=t.__name__, dtype=x.dtype.name)
            s = x.shape.as_list() if x.shape.rank is not None else None
            if s is None or None in s or not hasattr(t, 'numpy'): return dict(i, no='symbolic', **({} if s is None or None in s else dict(shape=s)))
            i['shape'] = s
        elif names & {'jax', 'jaxlib', 'cupy'} and hasattr(t, 'dtype'):
            i = dict(kind='cupy' if 'cupy' in names else 'jax', type=t.__name__, shape=[int(d) for d in x.shape], dtype=str(x.dtype))
            if any('Tracer' in c.__name__ for c in t.__mro__): i['no'] = 'tracer'
        elif explicit and hasattr(t, '__array__') and hasattr(x, 'shape') and hasattr(x, 'dtype'):
            i = dict(kind='array', type=t.__name__, shape=[int(d) for d in x.shape], dtype=str(x.dtype))
        else: return None
        if 'no' not in i:
            if i['dtype'].startswith('float8'): i['wire'] = 'float32'
            elif i['dtype'] not in plain: i['no'] = 'dtype'
        return i

    def of_list(x, most):
        shape, y = [], x
        while type(y) in (list, tuple) and len(shape) < 9:
            shape.append(len(y))
            y = y[0] if len(y) else None
        i = dict(kind='list', type=type(x).__name__)
        level = [x]
        for d, n in enumerate(shape):
            if any(type(v) not in (list, tuple) or len(v) != n for v in level): return dict(i, no='ragged')
            if len(level) * n > most: return dict(i, no='long')
            level = [w for v in level for w in v] if d else list(x)
        kinds = set(map(type, level))
        if not counted(kinds) or int in kinds and any(type(v) is int and not -2 ** 63 <= v < 2 ** 63 for v in level): return dict(i, no='objects')
        dtype = 'float64' if not level or kinds - {bool, int} else 'int64' if int in kinds else 'bool'
        return dict(i, shape=shape, dtype=dtype, wire='float64', flat=level)

    def counted(kinds):
        return all(k in (bool, int, float) or np is not None and str(k.__module__) == 'numpy' and {np.integer, np.floating} & set(k.__mro__) and k is not np.longdouble for k in kinds)

    def piece(v, start, count):
        if type(v) not in (list, tuple): v = [v]
        n, w = 1, v[0] if v else None
        if type(w) not in (list, tuple):
            found = v[start:start + count]
            if not counted(set(map(type, found))): raise ValueError('no numbers')
            return found
        while type(w) in (list, tuple):
            n *= len(w)
            w = w[0] if w else None
        if not n: return []
        a, found = start // n, []
        for r in v[a:-(-(start + count) // n)]:
            one = piece(r, 0, n)
            if len(one) != n: raise ValueError('ragged')
            found += one
        return found[start - a * n:start - a * n + count]

    def number(x):
        return repr(x) if type(x) is float and (x != x or x in (float('inf'), float('-inf'))) else x

    def info(x, explicit=False, deep=0, budget=None):
        t = type(x)
        if x is none: return dict(kind='missing')
        if x is None or t is bool or (t is str and len(x) <= 200) or (t is int and abs(x) < 2 ** 53) or t is float: return dict(kind='value', type=t.__name__, value=number(x))
        if torch is not None and torch.Tensor in t.__mro__:
            with quiet(): return of_torch(x)
        if np is not None and np.generic in t.__mro__:
            # Of a subclass, NumPy itself asks what it says of its type, and trusts that.
            v = x.item() if str(t.__module__) == 'numpy' else None
            return dict(kind='value', type=t.__name__, value=number(v)) if np.number in t.__mro__ and type(v) in (int, float) or type(v) is bool else dict(kind='other', type=t.__name__)
        found = of_array(x, t, explicit)
        if found is not None: return found
        if t in (list, tuple) or (torch is not None and t is torch.Size):
            i = of_list(tuple(x) if t not in (list, tuple) else x, 1 << 22 if explicit else 20000)
            flat = i.pop('flat', None)
            if flat is not None and len(i['shape']) == 1 and len(flat) <= 32 and all(abs(v) < 2 ** 53 for v in flat if type(v) is int): i['value'] = [number(v) if type(v) in (bool, int, float) else number(v.item()) for v in flat]
            return i
        i = dict(kind='other', type=t.__name__)
        if not deep or {type, types.ModuleType, types.FunctionType} & set(t.__mro__): return i
        try: d = object.__getattribute__(x, '__dict__')
        except Exception: return i
        m = torch is not None and torch.nn.Module in t.__mro__
        i = dict(kind='object', type=t.__name__, module=str(t.__module__), nn=m, has={})
        every = dict(d)
        if m:
            for k in ('_parameters', '_buffers', '_modules'):
                inner = every.pop(k, None)
                if isinstance(inner, dict): every.update(inner)
        for n, v in every.items():
            if budget[0] <= 0: break
            if type(n) is str and (n[:1] != '_' or n == '_qkv_same_embed_dim'):
                budget[0] -= 1
                one = info(v, False, deep - 1, budget)
                if one['kind'] != 'other' and 'no' not in one: i['has'][n] = one
        return i

    def part(x, sel):
        s = tuple(v if type(v) is int else slice(*v) for v in sel)
        return x[s] if s else x

    def flat(shape, start, count, one):
        n = 1
        for d in shape: n *= d
        i, ix = one(start, min(start + count, n)), []
        for d in reversed(shape):
            ix.append(i % d)
            i = i // d if np is None or torch is None or type(i) is not torch.Tensor else torch.div(i, d, rounding_mode='floor')
        return tuple(reversed(ix))

    def bytes_of(x, sel, start, count):
        t = type(x)
        # Of lists the asked part alone: all of a long one would be gone through for each request.
        i = dict(kind='list', shape=[]) if t in (list, tuple) else info(x, True)
        if 'no' in i or 'shape' not in i: raise ValueError('no numbers are read of ' + i['type'] + ' (' + str(i.get('no', i['kind'])) + ')')
        if i['kind'] == 'torch':
            with quiet():
                y = part(torch.Tensor.detach(x), sel)
                if hasattr(y, 'resolve_neg'): y = y.resolve_neg()
                if y.is_contiguous(): y = y.view(-1)[start:start + count]
                else: y = y[flat(list(y.shape), start, count, lambda a, b: torch.arange(a, b, device=y.device))]
                y = (y.float() if i.get('wire') else y).contiguous().cpu()
                if y.element_size() > 1 and sys.byteorder == 'big': raise ValueError('big-endian machine')
                y = y.view({1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[y.element_size()])
                return y.numpy().tobytes() if np is not None else bytes(y.untyped_storage() if hasattr(y, 'untyped_storage') else y.storage())
        if i['kind'] == 'list':
            import array
            cut = lambda v, s: v if not s else cut(v[s[0]], s[1:]) if type(s[0]) is int else [cut(w, s[1:]) for w in v[slice(*s[0])]]
            a = array.array('d', map(float, piece(cut(x, sel), start, count)))
            if sys.byteorder == 'big': a.byteswap()
            return a.tobytes()
        if i['kind'] == 'cupy':
            y = part(x, sel)
            return y.ravel()[start:start + count].get().tobytes()
        if i['kind'] == 'tensorflow':
            tape = sys.modules.get('tensorflow.python.eager.record') or sys.modules.get('tensorflow.python.eager.tape')
            if hasattr(tape, 'stop_recording'):
                with tape.stop_recording(): a = x.numpy()
            else: a = x.numpy()
        elif i['kind'] == 'numpy': a = np.ndarray.view(x, np.ndarray)
        else: a = sys.modules['numpy'].asarray(x)
        n = sys.modules['numpy']
        a = n.asarray(part(a, sel)) if sel else a
        a = a.reshape(-1)[start:start + count] if a.flags.c_contiguous else a[flat(list(a.shape), start, count, lambda p, q: n.arange(p, q))] if a.ndim else a.reshape(-1)
        if i.get('wire'): a = a.astype('float32')
        if a.dtype.byteorder == '>' or (a.dtype.byteorder == '=' and sys.byteorder == 'big'): a = a.astype(a.dtype.newbyteorder('<'))
        return n.ascontiguousarray(a).tobytes()

    def answer():
        if mode == 'describe': return json.dumps({p: info(at(p)) for p in arg}).encode()
        if mode == 'deep': return json.dumps({p: info(at(p), False, 4, [600]) for p in arg}).encode()
        if mode == 'tensors':
            every = {p: info(v) for p, v in list(ns.items())[:2000] if type(p) is str and p[:1] != '_'}
            return json.dumps({p: i for p, i in every.items() if 'dtype' in i}).encode()
        if mode == 'info': return json.dumps(info(arg, True)).encode()
        path, x, sel, start, count = arg
        x = at(path) if path is not None else x
        if x is none: raise NameError(path)
        return bytes_of(x, sel, start, count)

    try: return 'EA1:' + b2a_base64(answer(), newline=False).decode()
    except Exception as e: return 'EA1!' + b2a_base64((type(e).__name__ + ': ' + str(e)[:500]).encode(), newline=False).decode()
`;

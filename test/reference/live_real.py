"""Reads tensors as the extension does at a stop of the debugger, on a graphics card where there is one, and proves that nothing changed.

live_real.py CALLS.json        (of test/precision/live-calls.ts)

Prints one JSON object: bytes that differ from the tensor's own (none), names, versions, gradients, addresses, random states and memory of the card
that changed (none), the time of describing forty names, and what is said within the capture of a CUDA graph, where no tensor may be copied.
"""
import base64
import hashlib
import json
import sys
import time

import torch

calls = json.load(open(sys.argv[1]))
cuda = torch.cuda.is_available()
device = 'cuda' if cuda else 'cpu'


def raw(x):
    x = x.detach()
    x = x.float() if 'float8' in str(x.dtype) else x
    x = x.resolve_neg().cpu().contiguous()
    return x.reshape(-1).view(torch.uint8).numpy().tobytes() if x.numel() else b''


def told(answer):
    if not answer.startswith('EA1:'):
        raise AssertionError(base64.b64decode(answer[4:]).decode())
    return base64.b64decode(answer[4:])


def digest(*tensors):
    return hashlib.sha256(b''.join(raw(x) for x in tensors)).hexdigest()


def state(tensors):
    """What a read must not change."""
    own = {name: (x.data_ptr(), None if x.is_inference() else x._version, digest(x.grad) if x.is_leaf and x.grad is not None else None)
           for name, x in tensors.items()}
    chance = [digest(torch.get_rng_state()), digest(torch.cuda.get_rng_state()) if cuda else None]
    return own, chance, torch.cuda.memory_allocated() if cuda else 0


def stopped():
    """A frame with a tensor of every kind; the calls are evaluated in it, as a debugger does."""
    torch.manual_seed(0)
    make = lambda *shape, **options: torch.randn(*shape, device=device, **options)
    f32, f64, f16, bf16 = make(40, 50), make(40, 50, dtype=torch.float64), make(40, 50).half(), make(40, 50).bfloat16()
    e4m3, e5m2 = make(16, 16).to(torch.float8_e4m3fn), make(16, 16).to(torch.float8_e5m2)
    i64, i32, i16, i8, u8, flags = (torch.randint(0, 100, (7, 9), device=device).to(t)
                                    for t in (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool))
    turned, strided = make(50, 40).t(), make(20, 30, 8)[:, ::3, 1::2]
    parameter = torch.nn.Parameter(make(12, 12))
    parameter.sum().backward()
    with torch.inference_mode():
        inference = make(6, 6)
    scalar, empty, large = make(()), make(0, 5), make(2, 8, 1024, 64, dtype=torch.bfloat16)
    expanded, negated = make(1, 6).expand(5, 6), torch.conj(torch.view_as_complex(make(4, 4, 2))).imag
    # Still being computed when it is read.
    queued = make(2000, 2000)
    for _ in range(50):
        queued = queued @ queued / 50
    queued = queued[:8, :8]
    name_0 = name_1 = name_2 = name_3 = name_4 = name_5 = name_6 = name_7 = name_8 = name_9 = f32
    name_10 = name_11 = name_12 = name_13 = name_14 = name_15 = name_16 = name_17 = name_18 = name_19 = bf16
    name_20 = name_21 = name_22 = name_23 = name_24 = name_25 = name_26 = name_27 = name_28 = name_29 = parameter
    name_30 = name_31 = name_32 = name_33 = name_34 = name_35 = name_36 = name_37 = name_38 = name_39 = turned
    tensors = {name: x for name, x in locals().items() if torch.is_tensor(x)}
    found, before = {}, state(tensors)
    names = answer = call = name = begin = times = None
    names = sorted(locals())
    found['kinds'] = len(json.loads(told(eval(calls['describe']))))
    answer = {}
    for name, call in calls['bytes'].items():
        answer[name] = told(eval(call))
    answer['slice'], answer['tail'] = told(eval(calls['slice'])), told(eval(calls['tail']))
    times = []
    for _ in range(30):
        begin = time.perf_counter()
        eval(calls['forty'])
        times.append(1000 * (time.perf_counter() - begin))
    found['new names'] = [name for name in locals() if name not in names]
    found['changed'] = [what for what, a, b in zip(('tensors', 'random states', 'memory'), before, state(tensors)) if a != b]
    right = {name: raw(tensors[name]) for name in calls['bytes']}
    right.update(large=right['large'][:2 * 65536], slice=raw(large[0, 3, :256, :64]), tail=raw(turned.contiguous().view(-1)[1000:1500]))
    found['wrong bytes'] = [name for name in answer if answer[name] != right[name]]
    found['forty names, ms'] = {'median': sorted(times)[15], 'most': max(times)}
    return found


def captured():
    """A stop while a CUDA graph is captured."""
    graph, x, said = torch.cuda.CUDAGraph(), torch.ones(8, 8, device=device), {}
    with torch.cuda.graph(graph):
        f32 = x * 2
        for kind, call in calls['graph'].items():
            said[kind] = eval(call)
    graph.replay()
    return {'replayed': float(f32.sum()) == 128, **{kind: base64.b64decode(text[4:]).decode(errors='replace') for kind, text in said.items()}}


answer = {'torch': torch.__version__, 'device': torch.cuda.get_device_name() if cuda else 'cpu', **stopped()}
if cuda:
    answer['in a CUDA graph'] = captured()
print(json.dumps(answer, indent=1))

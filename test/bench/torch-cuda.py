# PyTorch on a graphics card in float32 (no TF32): a peer of `npm run bench hardware`. Reads kind, n, d and the operands' files; for each line of input
# it copies the operands to the card, computes once, copies the output back, and answers with a line.
import sys

import numpy as np
import torch

kind, n, d, folder = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
torch.backends.cuda.matmul.allow_tf32 = False
names = {"attention": "qkv", "product": "ab", "softmax": "x"}[kind]
host = [torch.from_numpy(np.fromfile(f"{folder}/{name}.f32", np.float32).reshape(n, d)) for name in names]


def run():
    operands = [x.to("cuda") for x in host]
    if kind == "product":
        return operands[0] @ operands[1], None
    if kind == "softmax":
        return torch.softmax(operands[0], -1), None
    q, k, v = operands
    weights = torch.softmax(q @ k.T / d**0.5, -1)
    return weights @ v, weights


output, weights = run()
output.cpu().numpy().tofile(f"{folder}/output.f32")
if weights is not None:
    weights.cpu().numpy().tofile(f"{folder}/weights.f32")
print(f"PyTorch {torch.__version__}, {torch.cuda.get_device_name()}", flush=True)
for line in sys.stdin:
    run()[0].cpu()
    print("", flush=True)

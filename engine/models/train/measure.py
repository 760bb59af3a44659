"""What each head does, measured: on held-out text, and on random characters repeated once.

Scores are means of weights over rows (Olsson et al. 2022, "In-context learning and induction heads"):
    previous   the weight on the token before
    induction  on the token after the earlier occurrence of the row's token
    duplicate  on that earlier occurrence itself
    sink       on the first token (Xiao et al. 2023), rows from the eighth
"""
import torch
import torch.nn.functional as F


def mean_diagonal(weights, rows, columns):
    """weights: batch x heads x n x n. The mean of weights[rows, columns] for each head."""
    return weights[:, :, rows, columns].mean((0, 2))


@torch.no_grad()
def measure_characters(model, held, rows=32, n=64):
    """held: Batches of held-out text. Losses in nats per character."""
    model.eval()
    vocabulary = model.shape["vocabulary"]
    loss = lambda logits, ids: F.cross_entropy(logits.reshape(-1, vocabulary), ids.reshape(-1)).item()
    on_text, on_repeat = [], []
    ids = held.text(rows, n)
    logits = model(ids, on_text)
    result = dict(
        textLoss=loss(logits[:, :-1], ids[:, 1:]),
        textRight=(logits[:, :-1].argmax(-1) == ids[:, 1:]).float().mean().item(),
    )
    period = n // 2 - 1
    ids = held.repeated(rows, n, True, period)
    logits = model(ids, on_repeat)
    second = slice(period + 1, 2 * period)
    target = ids[:, period + 2 : 2 * period + 1]
    result.update(
        firstCopyLoss=loss(logits[:, 1:period], ids[:, 2 : period + 1]),
        secondCopyLoss=loss(logits[:, second], target),
        secondCopyRight=(logits[:, second].argmax(-1) == target).float().mean().item(),
    )
    i = torch.arange(period + 1, 2 * period)
    j = torch.arange(2, n)
    heads = []
    for layer, (text, repeat) in enumerate(zip(on_text, on_repeat)):
        scores = dict(
            induction=mean_diagonal(repeat, i, i - period + 1),
            duplicate=mean_diagonal(repeat, i, i - period),
            previous=mean_diagonal(repeat, j, j - 1),
            previousOnText=mean_diagonal(text, j, j - 1),
            sink=repeat[:, :, 8:, 0].mean((0, 2)),
            sinkOnText=text[:, :, 8:, 0].mean((0, 2)),
        )
        for head in range(model.shape["heads"]):
            heads.append(dict(layer=layer, head=head, **{k: round(v[head].item(), 4) for k, v in scores.items()}))
    model.train()
    return dict(result, heads=heads)

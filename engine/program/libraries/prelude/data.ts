/**
 * PyTorch's data sets and their batches, in Python from torch/utils/data. An iterator draws a seed of its own first, a shuffle a second one: two
 * words each, of which a generator takes the lower 32 bits.
 */
export const data = String.raw`
class Dataset:
    def __getitem__(self, index):
        raise NotImplementedError

    def __add__(self, other):
        return ConcatDataset([self, other])


class IterableDataset(Dataset):
    pass


class TensorDataset(Dataset):
    def __init__(self, *tensors):
        assert all(tensors[0].size(0) == tensor.size(0) for tensor in tensors), "Size mismatch between tensors"
        self.tensors = tensors

    def __getitem__(self, index):
        return tuple(tensor[index] for tensor in self.tensors)

    def __len__(self):
        return self.tensors[0].size(0)


class ConcatDataset(Dataset):
    def __init__(self, datasets):
        self.datasets = list(datasets)

    def __len__(self):
        return sum(len(one) for one in self.datasets)

    def __getitem__(self, idx):
        for one in self.datasets:
            if idx < len(one):
                return one[idx]
            idx = idx - len(one)
        raise IndexError


class Subset(Dataset):
    def __init__(self, dataset, indices):
        self.dataset = dataset
        self.indices = indices

    def __getitem__(self, idx):
        return self.dataset[self.indices[idx]]

    def __len__(self):
        return len(self.indices)


def random_split(dataset, lengths, generator=None):
    n = len(dataset)
    if sum(lengths) <= 1:
        sizes = [math.floor(n * share) for share in lengths]
        for i in range(n - sum(sizes)):
            sizes[i % len(sizes)] = sizes[i % len(sizes)] + 1
        lengths = sizes
    if sum(lengths) != n:
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    places = torch.randperm(n, generator=generator).tolist()
    parts = []
    start = 0
    for length in lengths:
        parts.append(Subset(dataset, places[start:start + length]))
        start = start + length
    return parts


def default_collate(batch):
    first = batch[0]
    if isinstance(first, torch.Tensor):
        return torch.stack(batch, 0)
    if isinstance(first, np.ndarray):
        return torch.stack([torch.as_tensor(one) for one in batch], 0)
    if isinstance(first, float):
        return torch.tensor(batch, dtype=torch.float64)
    if isinstance(first, int):
        return torch.tensor(batch)
    if isinstance(first, dict):
        return {key: default_collate([one[key] for one in batch]) for key in first}
    if isinstance(first, (tuple, list)):
        return [default_collate([one[i] for one in batch]) for i in range(len(first))]
    return batch


class _Batches:
    def __init__(self, loader):
        self.loader = loader
        torch.randint(0, 4294967296, (1,), generator=loader.generator)
        self.places = None
        self.at = 0

    def __iter__(self):
        return self

    def __next__(self):
        loader = self.loader
        n = len(loader.dataset)
        if self.places is None:
            self.places = list(range(n))
            if loader.shuffle:
                own = loader.generator
                if own is None:
                    own = torch.Generator()
                    own.manual_seed(int(torch.randint(0, 4294967296, (1,))))
                self.places = torch.randperm(n, generator=own).tolist()
        size = loader.batch_size
        if self.at >= n or (loader.drop_last and self.at + size > n):
            raise StopIteration
        batch = [loader.dataset[i] for i in self.places[self.at:self.at + size]]
        self.at = self.at + size
        return loader.collate_fn(batch)


class DataLoader:
    def __init__(self, dataset, batch_size=1, shuffle=None, sampler=None, batch_sampler=None, num_workers=0, collate_fn=None,
                 pin_memory=False, drop_last=False, timeout=0, worker_init_fn=None, multiprocessing_context=None, generator=None, **kwargs):
        self.dataset = dataset
        self.batch_size = batch_size
        self.shuffle = shuffle
        self.drop_last = drop_last
        self.generator = generator
        self.num_workers = num_workers
        self.collate_fn = default_collate if collate_fn is None else collate_fn
        if sampler is not None or batch_sampler is not None or batch_size is None:
            self.dataset = _unfollowed(torch.zeros(1), 'sampler')

    def __len__(self):
        n = len(self.dataset)
        return n // self.batch_size if self.drop_last else -(-n // self.batch_size)

    def __iter__(self):
        return _Batches(self)
`;

/**
 * PyTorch's data sets, samplers and batches, in Python from torch/utils/data. An iterator draws a seed of its own first, a shuffle a second one: two
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


def default_convert(data):
    if isinstance(data, (tuple, list)):
        return [default_convert(one) for one in data]
    if isinstance(data, dict):
        return {key: default_convert(data[key]) for key in data}
    return torch.as_tensor(data) if isinstance(data, np.ndarray) else data


class SequentialSampler:
    def __init__(self, data_source):
        self.data_source = data_source

    def __len__(self):
        return len(self.data_source)

    def __iter__(self):
        return iter(range(len(self.data_source)))


class RandomSampler:
    def __init__(self, data_source, replacement=False, num_samples=None, generator=None):
        self.data_source = data_source
        self.replacement = replacement
        self.num_samples = len(data_source) if num_samples is None else num_samples
        self.generator = generator
        if self.num_samples <= 0:
            raise ValueError(f"num_samples should be a positive integer value, but got num_samples={self.num_samples}")

    def __len__(self):
        return self.num_samples

    def __iter__(self):
        return _Drawn(self)


class _Drawn:
    def __init__(self, sampler):
        self.sampler = sampler
        self.generator = None
        self.places = []
        self.at = 0
        self.left = sampler.num_samples

    def __iter__(self):
        return self

    def __next__(self):
        of = self.sampler
        n = len(of.data_source)
        size = 32 if of.replacement else n
        if self.generator is None:
            self.generator = of.generator
            if of.generator is None:
                self.generator = torch.Generator()
                self.generator.manual_seed(int(torch.randint(0, 4294967296, (1,))))
        if self.at == len(self.places) and self.left is not None:
            # Where nothing is left, an order is drawn all the same, and not used.
            few = self.left < size
            if of.replacement:
                drawn = torch.randint(0, n, (self.left if few else size,), generator=self.generator)
            else:
                drawn = torch.randperm(n, generator=self.generator)
            self.places = drawn.tolist()[:self.left]
            self.at = 0
            self.left = None if few else self.left - size
        if self.at == len(self.places):
            raise StopIteration
        self.at = self.at + 1
        return self.places[self.at - 1]


class SubsetRandomSampler:
    def __init__(self, indices, generator=None):
        self.indices = indices
        self.generator = generator

    def __len__(self):
        return len(self.indices)

    def __iter__(self):
        return iter([self.indices[i] for i in torch.randperm(len(self.indices), generator=self.generator).tolist()])


class BatchSampler:
    def __init__(self, sampler, batch_size, drop_last):
        self.sampler = sampler
        self.batch_size = batch_size
        self.drop_last = drop_last

    def __len__(self):
        n = len(self.sampler)
        return n // self.batch_size if self.drop_last else -(-n // self.batch_size)

    def __iter__(self):
        places = list(self.sampler)
        end = len(self) * self.batch_size
        return iter([places[i:i + self.batch_size] for i in range(0, end, self.batch_size)])


class _Batches:
    def __init__(self, loader):
        self.loader = loader
        torch.randint(0, 4294967296, (1,), generator=loader.generator)
        self.places = None

    def __iter__(self):
        return self

    def __next__(self):
        loader = self.loader
        dataset = loader.dataset
        streams = isinstance(dataset, IterableDataset)
        if self.places is None:
            self.places = iter(dataset if streams else loader.batch_sampler or loader.sampler)
        size = loader.batch_size
        if size is None:
            place = next(self.places)
            if loader.batch_sampler:
                return loader.collate_fn([dataset[i] for i in place])
            return loader.collate_fn(place if streams else dataset[place])
        batch = []
        for place in self.places:
            batch.append(place if streams else dataset[place])
            if len(batch) == size:
                break
        if not batch or (loader.drop_last and len(batch) < size):
            raise StopIteration
        return loader.collate_fn(batch)


class DataLoader:
    def __init__(self, dataset, batch_size=1, shuffle=None, sampler=None, batch_sampler=None, num_workers=0, collate_fn=None,
                 pin_memory=False, drop_last=False, timeout=0, worker_init_fn=None, multiprocessing_context=None, generator=None, **kwargs):
        if sampler is None:
            sampler = RandomSampler(dataset, generator=generator) if shuffle else SequentialSampler(dataset)
        self.dataset = dataset
        self.batch_size = batch_size if batch_sampler is None else None
        self.sampler = sampler
        self.batch_sampler = batch_sampler
        self.drop_last = drop_last
        self.generator = generator
        self.num_workers = num_workers
        batches = self.batch_size is not None or batch_sampler is not None
        self.collate_fn = collate_fn or (default_collate if batches else default_convert)

    def __len__(self):
        if self.batch_sampler:
            return len(self.batch_sampler)
        of = self.dataset if isinstance(self.dataset, IterableDataset) else self.sampler
        return len(of) if self.batch_size is None else len(BatchSampler(of, self.batch_size, self.drop_last))

    def __iter__(self):
        return _Batches(self)
`;

"""Matrices as NumPy, PyTorch, pandas, Octave and R print them, with the numbers that the printed digits stand for.

Run: python3 test/reference/print_matrices.py test/fixtures/parse/printed.json.gz
     python3 test/reference/print_matrices.py --numpy   (a sample of NumPy's part as JSON on the standard output)
Needs NumPy, and for the full output PyTorch, pandas, octave and Rscript. The expected numbers of NumPy, PyTorch and pandas are the array's, rounded by
the library's own formatter of a single cell; those of R are rounded by format(). Those of Octave are read from its printed lines, with blocks of columns
joined, and checked against the exact numbers that it also prints.
"""
import gzip
import json
import subprocess
import sys
import tempfile

import numpy as np

rng = np.random.default_rng(20261121)
cases = []
SHAPES = [(3,), (9,), (1, 4), (4, 1), (2, 2), (3, 5), (6, 6), (5, 12), (2, 3, 4), (3, 1, 2), (2, 2, 3, 2)]
TOKENS = ["The", "cat", "sat", "on", "the", "mat", "again", "##ing", "Ġdog", "New York", "é", "1st"]


def number(value):
    value = float(value)
    if np.isnan(value):
        return "nan"
    if np.isinf(value):
        return "inf" if value > 0 else "-inf"
    return "-0" if value == 0 and np.signbit(value) else value


def add(program, kind, text, shape, values, **labels):
    flat = [number(v) for v in values]
    assert len(flat) == int(np.prod(shape)), (program, kind)
    cases.append(dict(program=program, kind=kind, text=text, shape=list(shape), values=flat, **labels))


RANGES = {
    "normal": lambda shape: rng.standard_normal(shape),
    "small": lambda shape: rng.standard_normal(shape) * 1e-6,
    "large": lambda shape: rng.standard_normal(shape) * 1e7,
    "wide": lambda shape: rng.standard_normal(shape) * 10.0 ** rng.integers(-8, 8, shape),
    "integers": lambda shape: rng.integers(-50, 50, shape).astype(float),
    "odd": lambda shape: np.where(rng.random(shape) < 0.3, rng.choice([np.nan, np.inf, -np.inf], shape), rng.standard_normal(shape)),
    "weights": lambda shape: rng.random(shape),
}


def numpy_cases():
    for kind, draw in RANGES.items():
        for shape in SHAPES:
            a = draw(shape)
            cells = []
            def cell(x):
                cells.append(float(f"{x:.5f}"))
                return f"{x:.5f}"
            text = np.array2string(a, formatter={"float_kind": cell}, threshold=10**6)
            # NumPy formats each cell twice: once to find its width, and once to print it.
            add("numpy", f"str {kind}", text, shape, cells[-a.size:])
            b = a.astype(np.float32)
            text = np.array_repr(b)
            exact = [float(np.format_float_positional(x, trim="0")) if np.isfinite(x) else float(x) for x in b.ravel()]
            if kind in ("integers",):
                add("numpy", f"repr {kind}", text, shape, exact, dtype="float32")
    for kind in ("normal", "odd"):
        a = RANGES[kind]((40, 40))
        with np.printoptions(threshold=10):
            cases.append(dict(program="numpy", kind="elided", text=str(a), problem="elided"))


def torch_cases():
    import torch

    for kind, draw in RANGES.items():
        for shape in SHAPES:
            a = torch.tensor(draw(shape), dtype=torch.float32)
            text = repr(a)
            formatter = torch._tensor_str._Formatter(a)
            values = [float(formatter.format(x).strip()) for x in a.reshape(-1)]
            add("torch", kind, text, shape, values)
            if kind == "normal":
                g = a.clone().requires_grad_(True)
                add("torch", "grad", repr(g * 1), shape, values)
                add("torch", "device", text[:-1] + ", device='cuda:0', grad_fn=<MulBackward0>)", shape, values)


def pandas_cases():
    import pandas as pd

    for kind, draw in RANGES.items():
        for shape in [(2, 2), (3, 5), (4, 1), (6, 6), (5, 12), (3, 20), (12, 3)]:
            a = draw(shape)
            for labels in ("none", "columns", "tokens", "wrapped"):
                frame = pd.DataFrame(a)
                if labels == "columns":
                    frame.columns = [f"x{i}" for i in range(shape[1])]
                elif labels == "tokens":
                    frame.index = [TOKENS[i % len(TOKENS)] for i in range(shape[0])]
                    frame.columns = [f"k_{i}" for i in range(shape[1])]
                elif labels == "wrapped":
                    frame.columns = [f"column{i}" for i in range(shape[1])]
                    frame.index.name = "token"
                options = {"display.width": 80, "display.max_columns": 100, "display.expand_frame_repr": labels == "wrapped"}
                with pd.option_context(*[x for pair in options.items() for x in pair]):
                    text = str(frame)
                    columns = [[float(v) for v in pd.Series(frame.iloc[:, j].values).to_string(index=False).split()] for j in range(shape[1])]
                values = np.array(columns).T.ravel()
                names = dict(rowLabels=[str(x) for x in frame.index], columnLabels=[str(x) for x in frame.columns])
                add("pandas", f"{labels} {kind}", text, shape, values, **names)
    frame = pd.DataFrame(rng.standard_normal((100, 30)))
    cases.append(dict(program="pandas", kind="elided", text=str(frame), problem="elided"))
    with pd.option_context("display.show_dimensions", True):
        frame = pd.DataFrame(rng.integers(0, 9, (3, 3)), index=list("abc"), columns=list("xyz"))
        add("pandas", "dimensions", str(frame), (3, 3), frame.values.ravel(), rowLabels=list("abc"), columnLabels=list("xyz"))


OCTAVE = r"""
function show(x, kind)
  s = size(x);
  text = evalc('A = x');
  printf('%s\n%s\n%s\x01', kind, mat2str(s), text);
  printf('%.17g ', x);
  printf('\x02');
end
rand('seed', 3); randn('seed', 4);
shapes = {[1 5], [4 1], [2 2], [3 5], [6 6], [5 14], [2 3 4], [3 2 2 2]};
for f = {'short', 'long'}
  format(f{1});
  for k = 1:numel(shapes)
    s = shapes{k};
    show(round(randn(s) * 20), 'integers');
    show(randn(s), ['normal ' f{1}]);
    show(randn(s) * 1e-6, ['small ' f{1}]);
    show(randn(s) * 1e7, ['large ' f{1}]);
    show(randn(s) .* 10 .^ round(randn(s) * 4), ['wide ' f{1}]);
    x = randn(s); x(1) = -Inf; x(end) = NaN; show(x, ['odd ' f{1}]);
  end
end
format short
show(eye(4), 'integers diagonal');
fixed_point_format(true);
for k = 1:6
  show(randn(shapes{k}) * 1e5, 'factor');
end
"""


def octave_digits(text, size):
    """The printed numbers of each row. Pages and blocks of columns are joined, and a common factor is applied as a power of ten."""
    pages, power, row = [[]], "", 0
    for line in text.split("\n")[1:]:
        words = line.split()
        if not words or words[0] == "Diagonal":
            continue
        if words[0].startswith("ans(:"):
            pages.append([])
        elif words[0].startswith("Column"):
            row = 0
        elif words[-1] == "*":
            power = "e" + words[0].split("e")[1]
        else:
            if row < len(pages[-1]):
                pages[-1][row] += words
            else:
                pages[-1].append(words)
            row += 1
    def value(w):
        w = {"NaN": "nan", "Inf": "inf", "-Inf": "-inf"}.get(w, w)
        return float(w + power) if power and w[-1].isdigit() else float(w)
    flat = [value(w) for page in pages for row in page for w in row]
    return np.array(flat).reshape(size)


def octave_cases():
    with tempfile.NamedTemporaryFile("w", suffix=".m") as program:
        program.write("1;\n" + OCTAVE)
        program.flush()
        done = subprocess.run(["octave-cli", "-q", program.name], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for record in done.stdout.split("\x02")[:-1]:
        head, values = record.split("\x01")
        kind, size, text = head.split("\n", 2)
        size = [int(x) for x in size.strip("[]").split()]
        exact = np.array([float(v.replace("Inf", "inf").replace("NaN", "nan")) for v in values.split()])
        exact = exact.reshape(size, order="F")
        # The page axes come first: (rows, columns, p, q) is stored as (q, p, rows, columns).
        exact = np.transpose(exact, list(range(len(size) - 1, 1, -1)) + [0, 1])
        printed = octave_digits(text, exact.shape)
        finite = np.abs(exact[np.isfinite(exact)])
        assert np.allclose(printed, exact, rtol=1e-3, atol=1e-4 * finite.max(), equal_nan=True), (kind, text)
        add("octave", kind.strip(), text, exact.shape, printed.ravel(), name="A")


R = r"""
set.seed(7)
tokens <- c("The", "cat", "sat", "on", "the", "mat", "New York")
emit <- function(x, kind) {
  text <- paste(capture.output(print(x)), collapse = "\n")
  cells <- if (is.matrix(x)) sapply(seq_len(ncol(x)), function(j) format(x[, j], digits = 7)) else format(x, digits = 7)
  labels <- if (is.matrix(x) && !is.null(rownames(x))) paste(rownames(x), collapse = "\x03") else ""
  columns <- if (is.matrix(x) && !is.null(colnames(x))) paste(colnames(x), collapse = "\x03") else ""
  cat(kind, "\n", paste(if (is.null(dim(x))) length(x) else dim(x), collapse = " "), "\n", text, "\x01",
      paste(if (is.matrix(x)) cells else formatC(x, digits = 17, format = "g"), collapse = " "), "\x01", labels, "\x01", columns, "\x02", sep = "")
}
for (s in list(c(2, 2), c(3, 5), c(4, 1), c(1, 6), c(6, 6), c(5, 14), c(3, 30))) {
  for (kind in c("integers", "normal", "small", "large", "odd")) {
    n <- prod(s)
    v <- switch(kind, integers = round(rnorm(n) * 20), normal = rnorm(n), small = rnorm(n) * 1e-6, large = rnorm(n) * 1e7, odd = c(NA, Inf, -Inf, NaN, rnorm(n))[seq_len(n)])
    x <- matrix(v, s[1], s[2])
    emit(x, paste("matrix", kind))
    dimnames(x) <- list(tokens[seq_len(s[1])], paste0("k", seq_len(s[2])))
    emit(x, paste("named", kind))
  }
}
for (s in list(c(2, 3, 4), c(3, 2, 2, 2))) emit(array(round(rnorm(prod(s)) * 99), s), "array integers")
for (n in c(2, 7, 30)) emit(round(rnorm(n) * 99), "vector integers")
"""


def r_cases():
    out = subprocess.run(["Rscript", "-"], input=R, capture_output=True, text=True, check=True).stdout
    for record in out.split("\x02")[:-1]:
        head, values, rows, columns = record.split("\x01")
        kind, size, text = head.lstrip("\n").split("\n", 2)
        size = [int(x) for x in size.split()]
        flat = np.array([float(v.replace("NA", "nan").replace("nanN", "nan").replace("NaN", "nan")) for v in values.split()])
        # R prints −0 as 0.
        a = (flat + 0.0).reshape(size, order="F")
        a = np.transpose(a, list(range(len(size) - 1, 1, -1)) + [0, 1]) if len(size) > 1 else a
        labels = {}
        if rows:
            labels = dict(rowLabels=rows.split("\x03"), columnLabels=columns.split("\x03"))
        add("r", kind.strip(), text, a.shape, a.ravel(), **labels)


numpy_cases()
if sys.argv[1] == "--numpy":
    print(json.dumps(cases))
else:
    torch_cases()
    pandas_cases()
    octave_cases()
    r_cases()
    with open(sys.argv[1], "wb") as file:
        with gzip.GzipFile(fileobj=file, mode="wb", mtime=0, filename="") as packed:
            packed.write(json.dumps({"cases": cases}, ensure_ascii=False).encode())
    print(len(cases), "cases")

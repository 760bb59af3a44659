"""Tensors printed as source code by programs in each language: GNU Octave, R, C, Java, Rust, Node.

Run with Debian's packages octave, r-base-core, gcc, default-jdk, rustc, nodejs and python3-numpy:
    /usr/bin/python3 test/reference/print_code.py
It writes test/fixtures/parse/code.json.gz: for each case the program, the shape, the values (float64 in row-major order,
as Python's shortest repr; inf, -inf and nan as words) and the text that the program printed. The values are NumPy's; the
programs read them as bytes, so nothing is rounded on the way. C and Java print hexadecimal floats, which are exact.
"""

import gzip
import json
import os
import subprocess
import tempfile

import numpy as np

END = "=====\n"

OCTAVE = """
lines = strsplit(strtrim(fileread('manifest')), "\\n");
for k = 1:numel(lines)
  parts = strsplit(lines{k}, ' ');
  f = fopen(parts{1}); x = fread(f, Inf, 'double'); fclose(f);
  dims = cellfun(@str2double, parts(2:end));
  if numel(dims) == 1, A = x.'; else A = permute(reshape(x, fliplr(dims)), numel(dims):-1:1); end
  if numel(dims) == 3
    planes = arrayfun(@(i) mat2str(A(:, :, i), 17), 1:size(A, 3), 'UniformOutput', false);
    printf('A = cat(3, %s);\\n', strjoin(planes, ', '));
  else
    printf('Q = %s;\\n', mat2str(A, 17));
  end
  printf('=====\\n');
end
"""

OCTAVE_SINGLE = OCTAVE.replace("printf('Q = %s;\\\\n', mat2str(A, 17))", "printf('Q = %s;\\\\n', mat2str(single(A), 9, 'class'))")

R_READ = """
for (line in readLines('manifest')) {
  parts <- strsplit(line, ' ')[[1]]
  dims <- as.integer(parts[-1])
  x <- readBin(parts[1], 'double', prod(dims))
  A <- aperm(array(x, rev(dims)), length(dims):1)
"""

R_DPUT = R_READ + """
  if (length(dims) == 2) A <- matrix(A, dims[1], dims[2])
  cat('Q <- '); dput(A, control = c('keepNA', 'keepInteger', 'showAttributes', 'digits17'))
  cat('=====\\n')
}
"""

R_NAMES = R_READ + """
  A <- matrix(A, dims[1], dims[2], dimnames = list(paste0('row ', seq_len(dims[1])), letters[seq_len(dims[2])]))
  dput(A, control = c('keepNA', 'keepInteger', 'showAttributes', 'digits17'))
  cat('=====\\n')
}
"""

R_FRAME = R_READ + """
  A <- as.data.frame(matrix(A, dims[1], dims[2]))
  dput(A, control = c('keepNA', 'keepInteger', 'showAttributes', 'digits17'))
  cat('=====\\n')
}
"""

R_MATRIX = R_READ + """
  data <- paste(sapply(x, function(v) deparse(v, control = 'digits17')), collapse = ', ')
  cat(sprintf('K <- matrix(c(%s), nrow = %d, ncol = %d, byrow = TRUE)\\n', data, dims[1], dims[2]))
  cat('=====\\n')
}
"""

C = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static double x[4096];
static void nest(FILE *o, const int *d, int n, int *at) {
  fputc('{', o);
  for (int i = 0; i < d[0]; i++) {
    if (i) fputs(", ", o);
    if (n > 1) nest(o, d + 1, n - 1, at); else fprintf(o, FORMAT, x[(*at)++]);
  }
  fputc('}', o);
}
int main(void) {
  FILE *m = fopen("manifest", "r");
  char line[256];
  while (fgets(line, sizeof line, m)) {
    char *p = strtok(line, " \n");
    FILE *f = fopen(p, "rb");
    if (fread(x, 8, 4096, f) == 0) return 1;
    fclose(f);
    int d[4], n = 0, at = 0;
    while ((p = strtok(NULL, " \n"))) d[n++] = atoi(p);
    printf("TYPE m");
    for (int i = 0; i < n; i++) printf("[%d]", d[i]);
    printf(" = ");
    nest(stdout, d, n, &at);
    printf(";\n=====\n");
  }
}
"""

JAVA = """
import java.nio.*; import java.nio.file.*; import java.util.*;
public class Print {
  static String nest(double[] x, int[] d, int n, int[] at) {
    StringJoiner j = new StringJoiner(", ", "{", "}");
    for (int i = 0; i < d[n]; i++)
      j.add(n + 1 < d.length ? nest(x, d, n + 1, at) : word(x[at[0]++]));
    return j.toString();
  }
  static String word(double v) {
    if (Double.isNaN(v)) return "Double.NaN";
    if (Double.isInfinite(v)) return v > 0 ? "Double.POSITIVE_INFINITY" : "Double.NEGATIVE_INFINITY";
    return HEX ? Double.toHexString(v) : v + "d";
  }
  static final boolean HEX = Boolean.getBoolean("hex");
  public static void main(String[] a) throws Exception {
    for (String line : Files.readAllLines(Path.of("manifest"))) {
      String[] p = line.split(" ");
      int[] d = Arrays.stream(p).skip(1).mapToInt(Integer::parseInt).toArray();
      DoubleBuffer b = ByteBuffer.wrap(Files.readAllBytes(Path.of(p[0]))).order(ByteOrder.LITTLE_ENDIAN).asDoubleBuffer();
      double[] x = new double[b.remaining()]; b.get(x);
      String type = "double" + "[]".repeat(d.length);
      System.out.println("static final " + type + " V = new " + type + " " + nest(x, d, 0, new int[1]) + ";\\n=====");
    }
  }
}
"""

RUST = r"""
use std::fs;
fn main() {
    for line in fs::read_to_string("manifest").unwrap().lines() {
        let parts: Vec<&str> = line.split(' ').collect();
        let d: Vec<usize> = parts[1..].iter().map(|p| p.parse().unwrap()).collect();
        let x: Vec<f64> = fs::read(parts[0]).unwrap().chunks(8).map(|b| f64::from_le_bytes(b.try_into().unwrap())).collect();
        let word = |v: f64| -> String { if v.is_nan() { "f64::NAN".to_string() } else if v.is_infinite() {
            (if v > 0.0 { "f64::INFINITY" } else { "f64::NEG_INFINITY" }).to_string() } else { format!("{:?}f64", v) } };
        let mut items: Vec<String> = x.iter().map(|v| word(*v)).collect();
        for n in d.iter().rev() {
            items = items.chunks(*n).map(|c| format!("vec![{}]", c.join(", "))).collect();
        }
        println!("let w_q = {};\n=====", items[0]);
    }
}
"""

NODE = """
const fs = require('fs'), util = require('util');
for (const line of fs.readFileSync('manifest', 'utf8').trim().split('\\n')) {
  const [path, ...dims] = line.split(' ');
  const b = fs.readFileSync(path);
  const x = [...new Float64Array(b.buffer.slice(b.byteOffset, b.byteOffset + b.length))];
  const nest = (x, [n, ...rest]) => rest.length
    ? Array.from({ length: n }, (_, i) => nest(x.slice(i * x.length / n, (i + 1) * x.length / n), rest)) : x;
  const a = nest(x, dims.map(Number));
  if (process.argv[2] === 'inspect') console.log('const q = ' + util.inspect(a, { depth: null, maxArrayLength: null }) + ';\\n=====');
  else if (process.argv[2] === 'typed') console.log('const q = new Float64Array(' + util.inspect(a, { depth: null, maxArrayLength: null }) + ');\\n=====');
  else console.log(JSON.stringify({ note: 'x', Q: a }, null, 1) + '\\n=====');
}
"""


def tensors(dims, finite, count=4):
    """Seeded tensors of `dims` dimensions in several ranges. Unless `finite`, they also contain NaN and infinities."""
    rng = np.random.default_rng(sum(dims) * 100 + finite)
    made = []
    for n in dims:
        for i in range(count):
            shape = rng.integers(1, 5, size=n)
            shape[-1] += 1
            x = rng.standard_normal(shape) * 10.0 ** rng.integers(-12, 12)
            if i == 1:
                x = np.round(rng.standard_normal(shape) * 4)
            if i == 2:
                x = x * 10.0 ** rng.integers(-300, 280, size=shape)
            if i == 3 and not finite:
                x.flat[0], x.flat[-1] = -np.inf, np.nan
            made.append(np.array(x, dtype="<f8"))
    return made


def run(folder, cases, command):
    with open(os.path.join(folder, "manifest"), "w") as manifest:
        for i, x in enumerate(cases):
            x.tofile(os.path.join(folder, f"{i}.bin"))
            manifest.write(" ".join([f"{i}.bin", *map(str, x.shape)]) + "\n")
    out = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout
    texts = out.split(END)[:-1]
    assert len(texts) == len(cases), (command, len(texts))
    return texts


def save(folder, name, source):
    with open(os.path.join(folder, name), "w") as f:
        f.write(source)
    return name


def compiled_c(folder, fmt, ctype):
    source = C.replace("FORMAT", json.dumps(fmt)).replace("TYPE", ctype)
    subprocess.run(["gcc", "-o", "print", save(folder, "print.c", source)], cwd=folder, check=True)
    return ["./print"]


def programs(folder):
    """Name, tensors and command."""
    yield "octave", tensors([1, 2, 3], False), ["octave-cli", "-q", save(folder, "p.m", OCTAVE)]
    yield "octave single", [x.astype("f4").astype("<f8") for x in tensors([2], True)[:2]], ["octave-cli", "-q", save(folder, "q.m", OCTAVE_SINGLE)]
    yield "R dput", tensors([2, 3, 4], False), ["Rscript", save(folder, "p.R", R_DPUT)]
    yield "R dimnames", tensors([2], True), ["Rscript", save(folder, "n.R", R_NAMES)]
    yield "R data.frame", tensors([2], True), ["Rscript", save(folder, "f.R", R_FRAME)]
    yield "R matrix", tensors([2], True), ["Rscript", save(folder, "m.R", R_MATRIX)]
    yield "C hex", tensors([1, 2, 3, 4], True), compiled_c(folder, "%a", "double")
    yield "C decimal", tensors([1, 2, 3, 4], True), compiled_c(folder, "%.17e", "double")
    yield "C float", [x.astype("f4").astype("<f8") for x in tensors([2], True)[:2]], compiled_c(folder, "%#.9gf", "float")
    save(folder, "Print.java", JAVA)
    subprocess.run(["javac", "Print.java"], cwd=folder, check=True)
    yield "Java", tensors([1, 2, 3, 4], False), ["java", "Print"]
    yield "Java hex", tensors([1, 2, 3, 4], False), ["java", "-Dhex=true", "Print"]
    subprocess.run(["rustc", "--edition", "2021", "-o", "print_rs", save(folder, "print.rs", RUST)], cwd=folder, check=True, capture_output=True)
    yield "Rust", tensors([1, 2, 3, 4], False), ["./print_rs"]
    # JSON.stringify writes -0 as 0.
    yield "Node JSON", [x + 0.0 for x in tensors([1, 2, 3, 4], True)], ["node", save(folder, "p.js", NODE), "json"]
    yield "Node inspect", tensors([1, 2, 3, 4], False), ["node", "p.js", "inspect"]
    yield "Node typed", tensors([1], False), ["node", "p.js", "typed"]


def number(x):
    return float(x) if np.isfinite(x) else "nan" if np.isnan(x) else "inf" if x > 0 else "-inf"


def main():
    cases = []
    with tempfile.TemporaryDirectory() as folder:
        for name, made, command in programs(folder):
            for x, text in zip(made, run(folder, made, command)):
                cases.append({"program": name, "shape": list(x.shape), "values": [number(v) for v in x.ravel()], "text": text})
    path = os.path.join(os.path.dirname(__file__), "../fixtures/parse/code.json.gz")
    with open(path, "wb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", mtime=0, filename="") as f:
        f.write(json.dumps({"program": "test/reference/print_code.py", "cases": cases}).encode())
    print(len(cases), "cases")


main()

// Prints tensors with PyTorch's C++ printer, page by page, with the values that the prints stand for. From the folder of this file:
//   g++ -std=c++17 print_pages.cpp -ltorch_cpu -lc10 && ./a.out > ../fixtures/parse/pages.txt
// Each case begins with a line `%%% shape | values` (row-major); the print follows.
#include <ATen/ATen.h>
#include <cstdio>
#include <iostream>
#include <sstream>

static at::Tensor counted(std::vector<int64_t> shape, double scale) {
  int64_t size = 1;
  for (auto length : shape) size *= length;
  return (at::arange(1, size + 1, at::kDouble) * scale).reshape(shape);
}

static void show(const at::Tensor& tensor) {
  printf("%%%%%%");
  for (auto length : tensor.sizes()) printf(" %ld", (long)length);
  printf(" |");
  auto flat = tensor.reshape({-1}).to(at::kDouble).contiguous();
  for (int64_t i = 0; i < flat.numel(); i++) printf(" %.15g", flat.data_ptr<double>()[i]);
  std::ostringstream out;
  out << tensor;
  printf("\n%s\n", out.str().c_str());
}

int main() {
  show(counted({5}, 0.5));
  show(counted({2, 3}, 0.25));
  show(counted({2, 3}, 1).to(at::kLong));
  show(counted({2, 2}, 0.5).to(at::kHalf));
  show(counted({2, 2}, 0.5).to(at::kBFloat16));
  show(counted({2, 2, 3}, 0.5));
  // The first index of the pages runs fastest, although it is the slowest of the tensor.
  show(counted({2, 3, 2, 2}, 1));
  show(counted({3, 2, 1, 2}, -0.5));
  show(counted({2, 2, 2, 2}, 0.5));
  // A factor above some pages, and above each block of columns.
  auto small = counted({2, 2, 2}, 0.001);
  small[1].mul_(100000);
  show(small);
  auto large = counted({3, 2, 2}, 0.5);
  large[1].div_(1000);
  show(large);
  show(counted({3, 30}, 0.5));
  auto wide = counted({2, 2, 24}, 0.37);
  wide[1].mul_(100000);
  show(wide);
}

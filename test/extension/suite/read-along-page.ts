/** A document with an attention in a formula, in code and in numbers: NumPy 1.24 prints the weights and the output; the last row stands in a sentence too. */
export const page = String.raw`# By hand

The queries $Q \in \mathbb{R}^{3 \times 2}$ meet the keys $K \in \mathbb{R}^{4 \times 2}$ as $QK^\top$, and so

$$\operatorname{softmax}\left(\frac{QK^\top}{\sqrt{d_k}}\right)V$$

~~~python
import numpy as np
Q = np.array([[1.0, -0.5], [0.25, 2.0], [1.5, 0.75]])
K = np.array([[0.5, 1.0], [1.5, -0.5], [2.0, 0.75], [-1.0, 0.25]])
V = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 7.0], [0.5, -2.0]])
scores = Q @ K.T / np.sqrt(2)
weights = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)
out = weights @ V
print(weights)
print(out)
~~~

It prints

~~~
[[0.1242 0.428  0.3918 0.056 ]
 [0.4303 0.0616 0.3939 0.1143]
 [0.1484 0.1934 0.6379 0.0203]]
[[3.3951 4.5907]
 [2.6415 3.6354]
 [3.9282 5.4951]]
~~~

The last query has the weights [[0.1484, 0.1934, 0.6379, 0.0203]].
`.replaceAll('~~~', '```');

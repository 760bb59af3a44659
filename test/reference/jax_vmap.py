"""`jax.vmap` and `jax.lax.scan` by JAX itself: writes test/fixtures/jax_vmap.json. Recorded with JAX 0.10.2."""
import json
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

program = Path(__file__).parent.parent.joinpath("fixtures/programs/elsewhere/jax_vmap.py").read_text()
names = {}
exec(program, names)
written = {"jax": jax.__version__, "names": {}}
for name, value in names.items():
    if isinstance(value, jax.Array) and not jnp.issubdtype(value.dtype, jax.dtypes.prng_key):
        drawn = name.startswith("drawn")
        values = None if drawn else [round(float(x), 6) for x in np.asarray(value).ravel()]
        written["names"][name] = {"shape": list(value.shape), "dtype": str(value.dtype), "values": values}
Path(__file__).parent.parent.joinpath("fixtures/jax_vmap.json").write_text(json.dumps(written) + "\n")

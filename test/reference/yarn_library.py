"""The frequencies that the transformers library gives YaRN at sizes of published models. Prints one JSON object, which is recorded in
test/fixtures/attention/yarn-library.json: the library is not part of Debian.

    python3 test/reference/yarn_library.py > test/fixtures/attention/yarn-library.json
"""

import json

import torch
from transformers import LlamaConfig, __version__
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS
out=[]
for d,base,orig,factor in ((64,10000.0,4096,4.0),(128,1000000.0,32768,4.0)):
    c=LlamaConfig(hidden_size=d*2,num_attention_heads=2,head_dim=d,max_position_embeddings=int(orig*factor),rope_parameters={"rope_type":"yarn","rope_theta":base,"factor":factor,"original_max_position_embeddings":orig})
    inv,scale=ROPE_INIT_FUNCTIONS["yarn"](c,torch.device("cpu"))
    out.append({"d":d,"base":base,"original":orig,"factor":factor,"inverse":[float(x) for x in inv],"times":float(scale)})
print(json.dumps({"versions":f"transformers {__version__}, torch {torch.__version__}","cases":out}))

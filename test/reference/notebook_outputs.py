"""Runs cells in a real ipykernel and writes the notebook with what it answered, as Jupyter saves it.

notebook_outputs.py HELPER_FOLDER OUT.ipynb reads the cells as a JSON list from standard input.
"""
import json
import sys

from jupyter_client.manager import KernelManager

folder, target = sys.argv[1:3]
sources = json.load(sys.stdin)
manager = KernelManager(kernel_name='python3')
manager.start_kernel(extra_arguments=['--HistoryManager.enabled=False'], cwd=folder)
client = manager.client()
client.start_channels()
client.wait_for_ready(timeout=60)
cells = []
for count, source in enumerate(sources, 1):
    own = client.execute(source)
    outputs = []
    while True:
        message = client.get_iopub_msg(timeout=120)
        if message['parent_header'].get('msg_id') != own:
            continue
        kind, content = message['msg_type'], message['content']
        if kind == 'execute_result':
            outputs.append({'output_type': kind, 'data': content['data'], 'metadata': {}, 'execution_count': count})
        elif kind == 'error':
            sys.exit(content['evalue'])
        elif kind == 'status' and content['execution_state'] == 'idle':
            break
    cells.append({'cell_type': 'code', 'execution_count': count, 'metadata': {}, 'source': source, 'outputs': outputs})
manager.shutdown_kernel(now=True)
with open(target, 'w') as file:
    json.dump({'cells': cells, 'metadata': {'language_info': {'name': 'python'}}, 'nbformat': 4, 'nbformat_minor': 5},
              file, indent=1)

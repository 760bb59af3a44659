"""A real ipykernel behind lines of JSON: {"id": 1, "code": "…"} gives {"id": 1, "output": {mime: text}} for each output, then {"id": 1, "done": true}."""

import json
import queue
import sys

from jupyter_client.manager import KernelManager

manager = KernelManager(kernel_name='python3')
manager.start_kernel(extra_arguments=['--HistoryManager.enabled=False'])
client = manager.client()
client.start_channels()
client.wait_for_ready(timeout=120)


def say(**fields):
    sys.stdout.write(json.dumps(fields) + '\n')
    sys.stdout.flush()


def outputs(code, history):
    # As Jupyter's executeCode: neither silent nor in the history.
    message = client.execute(code, silent=False, store_history=history, stop_on_error=False)
    while True:
        try:
            reply = client.get_iopub_msg(timeout=1)
        except queue.Empty:
            # As Jupyter's own: it says so, and what was asked is never answered.
            if not manager.is_alive():
                say(status='dead')
                return
            continue
        if reply['parent_header'].get('msg_id') != message:
            continue
        kind, content = reply['msg_type'], reply['content']
        if kind == 'stream':
            yield {'application/vnd.code.notebook.' + content['name']: content['text']}
        elif kind in ('display_data', 'execute_result'):
            yield {k: v if isinstance(v, str) else json.dumps(v) for k, v in content['data'].items()}
        elif kind == 'error':
            error = dict(name=content['ename'], message=content['evalue'], stack='')
            yield {'application/vnd.code.notebook.error': json.dumps(error)}
        elif kind == 'status' and content['execution_state'] == 'idle':
            return


say(ready=True, pid=manager.provider.pid if hasattr(manager, 'provider') else None)
for line in sys.stdin:
    asked = json.loads(line)
    if asked.get('kill'):
        manager.shutdown_kernel(now=True)
        break
    for output in outputs(asked['code'], asked.get('history', False)):
        say(id=asked['id'], output=output)
    if manager.is_alive():
        say(id=asked['id'], done=True)

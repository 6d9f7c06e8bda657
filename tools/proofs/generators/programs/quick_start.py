import json, os, time, urllib.error, urllib.request
from models import ErrorResponse, MessageWithTimeline, QueuedMessage

def call(method, path, body=None):
    request = urllib.request.Request(
        os.environ["BASE_URL"] + path,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"X-API-Key": os.environ["API_KEY"], "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request) as response:
        return json.load(response)

sent = QueuedMessage.from_dict(call("POST", "/alert/send", {"phone": "+12025550100", "message": "from Python"}))
for _ in range(400):
    message = MessageWithTimeline.from_dict(call("GET", f"/messages/{sent.message_id}")).message
    if message.status.value == "read":
        break
    time.sleep(0.05)
try:
    call("POST", "/alert/send", {"phone": "+12025550101", "message": "refused"})
except urllib.error.HTTPError as error:
    refusal = ErrorResponse.from_dict(json.load(error)).error.code
print(message.status.value, refusal)

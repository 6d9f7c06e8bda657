-- Every turn of an assistant is claimed before it is taken, not only one that queries a model.
comment on column bot_conversations.lease_token is 'The fencing token of the process that takes the turn: only it writes what follows.';
comment on column bot_conversations.attempts is 'Claims since the last turn. After three, the conversation is left to a person.';

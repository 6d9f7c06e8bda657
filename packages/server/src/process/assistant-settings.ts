/** What the settings of assistants mean, for the reference. */
export const assistantSettings = {
  AI_URL: {
    group: 'Assistants',
    meaning:
      'The base address of a model for questions that the stored answers do not settle: chat completions in ' +
      'the common form are posted to `/chat/completions` below it. Needs `AI_MODEL`, `AI_PRICE_IN` and ' +
      '`AI_PRICE_OUT`.',
    unset: 'the built-in ranking alone decides',
  },
  AI_KEY: {
    group: 'Assistants',
    meaning: 'The key of the model, sent as a bearer token. It is never stored or logged.',
    values: 'any text',
    unset: 'no key is sent',
  },
  AI_KEY_FILE: {
    group: 'Assistants',
    meaning: 'The file with the value of `AI_KEY`.',
    values: 'a path',
    unset: '`AI_KEY` is used',
  },
  AI_MODEL: { group: 'Assistants', meaning: 'The name of the model.', values: 'any text', unset: 'none' },
  AI_MODEL_KIND: {
    group: 'Assistants',
    meaning:
      'What the model takes: `reasoning` for one that thinks first, and refuses `temperature` and `max_tokens`. Its ' +
      'answers, with what it thinks, have up to 4,000 tokens in place of 700.',
  },
  AI_PRICE_IN: {
    group: 'Assistants',
    meaning: 'What a million tokens of a prompt cost, in US dollars.',
    unset: 'none',
  },
  AI_PRICE_OUT: {
    group: 'Assistants',
    meaning: 'What a million tokens of an answer cost, in US dollars.',
    unset: 'none',
  },
  AI_ALLOWANCE_USD: {
    group: 'Assistants',
    meaning:
      'What models and transcripts may cost each organization in a month (UTC), in US dollars. A trial has 2 in all.',
  },
  TRANSCRIBE_URL: {
    group: 'Assistants',
    meaning:
      'The base address of a service that turns voice notes into text: audio is posted to ' +
      '`/audio/transcriptions` below it. Needs `TRANSCRIBE_MODEL` and `TRANSCRIBE_PRICE_MINUTE`.',
    unset: 'voice notes stay in the chat',
  },
  TRANSCRIBE_KEY: {
    group: 'Assistants',
    meaning: 'The key of that service, sent as a bearer token. It is never stored or logged.',
    values: 'any text',
    unset: 'no key is sent',
  },
  TRANSCRIBE_KEY_FILE: {
    group: 'Assistants',
    meaning: 'The file with the value of `TRANSCRIBE_KEY`.',
    values: 'a path',
    unset: '`TRANSCRIBE_KEY` is used',
  },
  TRANSCRIBE_MODEL: { group: 'Assistants', meaning: 'The name of its model.', values: 'any text', unset: 'none' },
  TRANSCRIBE_PRICE_MINUTE: {
    group: 'Assistants',
    meaning: 'What a minute of audio costs, in US dollars.',
    unset: 'none',
  },
} as const

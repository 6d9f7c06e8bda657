/**
 * A long proof: what takes too long for `npm test`, which runs a short form of most.
 *
 * @typedef {object} Proof
 * @property {string} name `npm run proof -- NAME` runs it.
 * @property {string} what What it does, in Markdown.
 * @property {string} inTest What `npm test` runs of it, in Markdown.
 * @property {string} [script] The script that runs it, from the root; arguments are passed on, after `args`.
 * @property {readonly string[]} [args]
 * @property {string} [project] Otherwise the vitest project of `files`; arguments are passed on to vitest.
 * @property {readonly string[]} [files] Test files, from the root.
 * @property {Readonly<Record<string, string>>} [env] The environment that makes a short form a long one. What is set
 *   already stays.
 */

const server = 'packages/server/src'

/** @type {readonly Proof[]} */
export const proofs = [
  {
    name: 'chaos',
    what:
      '100 rounds of faults: kills, cut connections, Postgres restarts, while 20,000 messages pass. `--seed 7 ' +
      '--rounds 20` repeats or shortens a run; `--gateway waha`: 100 kills while 5,000 messages pass through a ' +
      'fake WAHA server, whose webhooks come late, twice and out of order.',
    inTest: '4 rounds with two faults in each',
    script: 'tools/proofs/chaos.mjs',
  },
  {
    name: 'fuzz',
    what:
      '20,000 requests made from the OpenAPI document. `--seed N` repeats a run, `--operations ' +
      'alert.send,otp.send` makes requests of those only.',
    inTest: '3,000 requests',
    script: 'tools/proofs/fuzz.mjs',
  },
  {
    name: 'largest',
    what:
      'the most expensive requests of an ordinary key, while another organization works: none keeps an API or a ' +
      'worker with a heap of 384 MiB busy for more than 200 ms, and each message of the other one is sent and ' +
      'reported. On a quiet machine (a load of 0.75 for each processor) no gap of the event loop is longer ' +
      'either, and no call of the other one takes a second.',
    inTest: 'the largest input of every route, read and validated, and what is counted of it',
    project: 'service',
    files: [`${server}/testing/largest/full.test.ts`],
    env: { LARGEST: 'full' },
  },
  {
    name: 'faults',
    what: 'sends through a proxy that resets connections at random bytes',
    inTest: 'a shorter run',
    project: 'service',
    files: [`${server}/testing/end-to-end/fault-proxy.test.ts`],
    env: { FAULTS: 'full' },
  },
  {
    name: 'crashes',
    what:
      'kills a process at every crash point of invitations, resets, transfers and deletions, and five workers ' +
      'with an item of each kind that loops claim',
    inTest: 'two of them, one of the erasure, and five workers with items of all kinds at once',
    project: 'service',
    files: [`${server}/people/team/crash.test.ts`, `${server}/process/poison.crash.test.ts`],
    env: { CRASHES: 'full' },
  },
  {
    name: 'histories',
    what: '1,000 random histories of teams, by three people at once',
    inTest: 'four of them',
    project: 'service',
    files: [`${server}/people/team/model.test.ts`],
    env: { TEAM_HISTORIES: '1000' },
  },
  {
    name: 'lanes',
    what:
      '100,000 random histories of the queue on Postgres: texts, claims, outcomes, numbers that go down, work again ' +
      'or are removed, cut connections. `LANE_SEED=9` begins with that round of 50, `LANE_HISTORIES=5000` shortens ' +
      'the run.',
    inTest: '150 of them, and a model of the locks in every interleaving',
    project: 'service',
    files: [`${server}/sending/messages/queue/lane-histories.test.ts`],
    env: { LANE_HISTORIES: '100000' },
  },
  {
    name: 'mutations',
    what: '100,000 changed webhook requests against the verifier',
    inTest: 'a shorter run',
    project: 'service',
    files: ['packages/webhook-verifier/src/mutation.test.ts'],
    env: { MUTATIONS: 'full' },
  },
  {
    name: 'orders',
    what: '100,000 random conversations of customers with a shop',
    inTest: '1,500',
    project: 'service',
    files: [`${server}/conversations/bots/orders/order-machine.test.ts`],
    env: { CONVERSATIONS: 'full' },
  },
  {
    name: 'questions',
    what: '200 kills of a worker during 2,000 questions',
    inTest: '3 kills',
    project: 'service',
    files: [`${server}/conversations/bots/kill.test.ts`],
    env: { QUESTION_KILLS: '200' },
  },
  {
    name: 'retrieval',
    what:
      'how often the ranking finds the right answer in BANKING77 and CLINC150; `BANKING77_CSV`, ' +
      '`BANKING77_TEST_CSV` and `CLINC150_JSON` name their files, which must be downloaded first',
    inTest: 'a set of our own',
    project: 'service',
    files: [`${server}/conversations/bots/knowledge/retrieval.test.ts`],
    env: { RETRIEVAL: 'full' },
  },
  {
    name: 'mcp-kill',
    what: '200 kills of an API while it approves, beside a second one: each action happens at most once',
    inTest: '2 kills',
    project: 'service',
    files: [`${server}/ai-clients/mcp/approvals/kill.test.ts`],
    env: { MCP_KILLS: '200' },
  },
  {
    name: 'mcp-canary',
    what: '10,000 results of tools, none with a secret',
    inTest: '200 results',
    project: 'service',
    files: [`${server}/ai-clients/mcp/secrets-in-results.test.ts`],
    env: { MCP_CANARY_RUNS: '10000' },
  },
  {
    name: 'judges',
    what:
      'the conformance suite of the protocol and its Inspector against `/mcp`, with a table of the results. They ' +
      'need Node 22, which is installed with them into a temporary folder. Needs a registry.',
    inTest: 'the clients of the protocol and openid-client',
    script: 'tools/proofs/judges/run.mjs',
  },
  {
    name: 'timing',
    what:
      'whether the time of a response reveals which addresses are known: pairs of requests, judged by the ' +
      'interval of their ratio ([0072](decisions/0072-timing-in-pairs.md))',
    inTest: 'the count of statements and hashings of the same requests',
    script: 'tools/bench/timing/sign-in.mjs',
  },
  {
    name: 'waha',
    what:
      'the tests of sending and receiving over the driver for WAHA and a fake server. `--engine NOWEB` has the ' +
      'responses of the other engine.',
    inTest: 'the tests of the driver',
    script: 'tools/proofs/waha.mjs',
  },
  {
    name: 'direct',
    what:
      'the tests of sending and receiving over sockets of our own, and a search of all output of the hosts for ' +
      'keys and texts',
    inTest: 'the tests of the driver',
    script: 'tools/proofs/direct.mjs',
  },
  {
    name: 'gateway',
    what:
      'the tests of the gateway host, over a test network with real Signal sessions; `npm run gateway` lists its ' +
      'own proofs ([own-sockets.md](../run/own-sockets.md#proofs))',
    inTest: 'nothing',
    script: 'tools/scripts/gateway.mjs',
    args: ['test'],
  },
  {
    name: 'generators',
    what:
      "clients in TypeScript (ESM and CommonJS), Python and Go by other people's generators, compiled and run. " +
      'Needs a registry; says which language it skipped.',
    inTest: 'openapi-typescript only',
    script: 'tools/proofs/generators.mjs',
  },
  {
    name: 'prism',
    what: "500 valid requests through Prism's validating proxy",
    inTest: 'nothing',
    script: 'tools/proofs/prism.mjs',
  },
  {
    name: 'flows',
    what:
      'what people do in the console, in a real browser, on its own address and behind a proxy with https and a ' +
      'path; needs Chromium ([0063](decisions/0063-tests-in-a-browser.md)). `CAMPAIGN_ROWS=10000` and ' +
      '`LIST_ROWS=100000` make the campaign and the list as long as they may be.',
    inTest: 'all flows on its own address, two behind the proxy',
    project: 'console',
    files: ['flows', 'work', 'tasks', 'ai-clients', 'docs'].map((name) => `packages/console/test/${name}.test.ts`),
    env: { FLOWS: 'full', BROWSER: 'required' },
  },
  {
    name: 'looks',
    what:
      'every page of the console at three widths, light and dark, in both languages: axe-core, nothing cut off ' +
      'or covered, one host',
    inTest: 'every page in one of the twelve',
    project: 'console',
    files: ['packages/console/test/looks.test.ts'],
    env: { LOOKS: 'full', BROWSER: 'required' },
  },
  {
    name: 'first-message',
    what:
      'clones the repository, starts it, follows the printed link in a browser, and sends the first message ' +
      'until it is read, within 60 s',
    inTest: 'nothing',
    script: 'tools/proofs/first-message.mjs',
  },
  {
    name: 'packages',
    what:
      'packs the published packages, lints them, installs them into an empty project and runs the examples of ' +
      'their READMEs. Needs a registry.',
    inTest: 'nothing',
    script: 'tools/release/check.mjs',
  },
  {
    name: 'deploy',
    what: 'what [deploy/](../../deploy/README.md) offers, with the programs of the machine',
    inTest: 'its rules only',
    script: 'tools/proofs/deploy/main.mjs',
  },
  {
    name: 'failover',
    what: '20 kills of the leader of a Postgres pair under 50 texts a second; needs Patroni, etcd and HAProxy',
    inTest: 'nothing',
    script: 'tools/proofs/deploy/main.mjs',
    args: ['failover'],
    env: { FAILOVERS: '20' },
  },
  {
    name: 'profile',
    what: 'profiles the benchmarks drain and webhooks, and writes the flame graphs of docs/performance',
    inTest: 'nothing',
    script: 'tools/scripts/run.mjs',
    args: ['profile'],
  },
  {
    name: 'billing',
    what:
      '1,000 random histories of a payer: purchases, changes, cards that fail, months, kills, calls of the provider ' +
      'that fail. Then every fault of a call and of an event at every place, kills at every point, and two people at ' +
      'two processes. `BILLING_HISTORIES=100` shortens the run.',
    inTest: 'eight histories, and each fault and each point once',
    project: 'service',
    files: [
      `${server}/billing/model.test.ts`,
      `${server}/billing/crashes.test.ts`,
      `${server}/billing/call-faults.test.ts`,
      `${server}/billing/webhook-faults.test.ts`,
      `${server}/billing/conflicts.test.ts`,
      `${server}/billing/payments/socket.test.ts`,
    ],
    env: { BILLING: 'full', BILLING_HISTORIES: '1000' },
  },
  {
    name: 'stripe-day',
    what:
      'plays the histories of billing on the simulated payment provider and, with `STRIPE_SECRET_KEY=sk_test_...`, ' +
      'at Stripe with its test clocks. It shows each line in which both differ.',
    inTest: 'the same histories on the simulated provider',
    project: 'service',
    files: [`${server}/testing/payments/stripe-day.test.ts`],
  },
]

/** Returns the table of the proofs in docs/build/testing.md. */
export function proofsTable() {
  const rows = proofs.map(({ name, what, inTest }) => `| \`${name}\` | ${what} | ${inTest} |`)
  return ['| proof | what it does | `npm test` runs |', '| --- | --- | --- |', ...rows].join('\n')
}

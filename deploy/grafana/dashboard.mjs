// The dashboard as data. node deploy/grafana/dashboard.mjs writes msgctl.json, which Grafana imports.
// Gauges about the whole service are the same in every process: max, never sum.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const own = '{job="$job"}'
const rate = (name, labels = '') => `rate(${name}{job="$job"${labels}}[$__rate_interval])`
const unlessStream = ',route!~"GET /events/stream|none"'
const stat = (title, expr, unit = 'short', steps = []) => ({
  type: 'stat',
  title,
  exprs: [[expr, '']],
  unit,
  steps,
  w: 4,
  h: 4,
})
const lines = (title, exprs, unit = 'short', stacked = false) => ({
  type: 'timeseries',
  title,
  exprs,
  unit,
  stacked,
  w: 12,
  h: 8,
})
const quantile = (q, by = 'le') =>
  `histogram_quantile(${q}, sum by (${by}) (${rate('msgctl_http_request_duration_seconds_bucket', unlessStream)}))`
const requests = 'msgctl_http_requests_total'
const failedShare = `sum(${rate(requests, ',status=~"5.."')}) / sum(${rate(requests)}) or vector(0)`

/** The rows of the dashboard with their panels. */
export const rows = [
  [
    'Health',
    [
      stat('Processes up', `sum(up${own})`),
      stat('Database', `max(msgctl_database_up${own})`, 'short', [
        [0, 'red'],
        [1, 'green'],
      ]),
      stat('Queue late by', 'max(msgctl_messages_overdue_seconds{job="$job",status="queued"})', 's', [
        [0, 'green'],
        [30, 'orange'],
        [120, 'red'],
      ]),
      stat(
        'Numbers down',
        'sum(max by (status) (msgctl_numbers{job="$job",status=~"FAILED|UNREACHABLE"})) or vector(0)',
        'short',
        [
          [0, 'green'],
          [1, 'orange'],
        ],
      ),
      stat('Webhooks late by', `max(msgctl_webhook_deliveries_overdue_seconds${own})`, 's', [
        [0, 'green'],
        [60, 'orange'],
        [300, 'red'],
      ]),
      stat('5xx', failedShare, 'percentunit', [
        [0, 'green'],
        [0.01, 'orange'],
        [0.02, 'red'],
      ]),
    ],
  ],
  [
    'Messages',
    [
      lines(
        'Attempts to send, by outcome',
        [[`sum by (outcome) (${rate('msgctl_sends_total')})`, '{{outcome}}']],
        'cps',
        true,
      ),
      lines('Waiting and claimed', [
        ['max(msgctl_messages{job="$job",status="queued"})', 'queued'],
        ['max(msgctl_messages{job="$job",status="sending"})', 'sending'],
      ]),
      lines('Overdue', [[`max by (status) (msgctl_messages_overdue_seconds${own})`, '{{status}}']], 's'),
      lines(
        'Wait of queued messages, p95 by type',
        [[`histogram_quantile(0.95, sum by (le, type) (${rate('msgctl_message_wait_seconds_bucket')}))`, '{{type}}']],
        's',
      ),
      lines('Numbers by state', [[`max by (status) (msgctl_numbers${own})`, '{{status}}']], 'short', true),
    ],
  ],
  [
    'API',
    [
      lines('Requests by route', [[`topk(8, sum by (route) (${rate(requests)}))`, '{{route}}']], 'reqps', true),
      lines(
        'Duration',
        [0.5, 0.95, 0.99].map((q) => [quantile(q), `p${q * 100}`]),
        's',
      ),
      lines(
        'Refused and failed, by status',
        [[`sum by (status) (${rate(requests, ',status=~"[45].."')})`, '{{status}}']],
        'reqps',
      ),
      lines('People and streams', [
        [`max(msgctl_sessions${own})`, 'sessions'],
        [`sum by (route) (msgctl_streams_open${own}) or vector(0)`, '{{route}}'],
      ]),
      lines(
        'Refused sign-ins, by reason',
        [[`sum by (reason) (${rate('msgctl_sign_in_refused_total')}) or vector(0)`, '{{reason}}']],
        'cps',
      ),
      lines('Slowest routes, p95', [[`topk(6, ${quantile(0.95, 'le, route')})`, '{{route}}']], 's'),
    ],
  ],
  [
    'Webhooks and networks',
    [
      lines(
        'Webhook attempts by outcome',
        [[`sum by (outcome) (${rate('msgctl_webhook_attempts_total')}) or vector(0)`, '{{outcome}}']],
        'cps',
        true,
      ),
      lines('Pending', [
        [`max(msgctl_webhook_deliveries_pending${own})`, 'deliveries'],
        [`max(msgctl_network_reports_set_aside${own})`, 'reports set aside'],
        [`max by (kind) (msgctl_set_aside${own})`, '{{kind}} set aside'],
      ]),
    ],
  ],
  [
    'Processes',
    [
      lines('Memory', [[`process_resident_memory_bytes${own}`, '{{instance}}']], 'bytes'),
      lines('Event loop, p99', [[`nodejs_eventloop_lag_p99_seconds${own}`, '{{instance}}']], 's'),
      lines('CPU', [[rate('process_cpu_seconds_total'), '{{instance}}']], 'percentunit'),
      lines(
        'Jobs: seconds since their last end',
        [[`topk(6, max by (exported_job) (msgctl_job_last_end_age_seconds${own}))`, '{{exported_job}}']],
        's',
      ),
      lines('Pool of database connections', [[`sum by (state) (msgctl_database_pool${own})`, '{{state}}']]),
    ],
  ],
]

// biome-ignore lint/suspicious/noTemplateCurlyInString: the name of a variable of Grafana
const datasource = { type: 'prometheus', uid: '${datasource}' }

function fieldConfig({ type, unit, steps, stacked }) {
  const thresholds = {
    mode: 'absolute',
    steps: steps?.map(([value, color], n) => ({ value: n === 0 ? null : value, color })),
  }
  const custom = { fillOpacity: 12, lineWidth: 1, showPoints: 'never', stacking: { mode: stacked ? 'normal' : 'none' } }
  const defaults = { unit, min: 0, ...(steps?.length > 0 && { thresholds }), ...(type === 'timeseries' && { custom }) }
  return { defaults, overrides: [] }
}

function toPanel(panel, id, x, y) {
  const { type, title, exprs, w, h } = panel
  const targets = exprs.map(([expr, legendFormat], n) => ({
    refId: String.fromCharCode(65 + n),
    datasource,
    expr,
    legendFormat,
  }))
  const options =
    type === 'stat'
      ? { reduceOptions: { calcs: ['lastNotNull'] }, colorMode: 'value', graphMode: 'area' }
      : { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } }
  return { id, type, title, datasource, gridPos: { x, y, w, h }, targets, fieldConfig: fieldConfig(panel), options }
}

/** Places the panels of each row from left to right. */
function layOut() {
  const panels = []
  let y = 0
  for (const [title, list] of rows) {
    panels.push({
      id: panels.length + 1,
      type: 'row',
      title,
      collapsed: false,
      gridPos: { x: 0, y, w: 24, h: 1 },
      panels: [],
    })
    y += 1
    let x = 0
    for (const panel of list) {
      if (x + panel.w > 24) {
        x = 0
        y += panel.h
      }
      panels.push(toPanel(panel, panels.length + 1, x, y))
      x += panel.w
    }
    y += list.at(-1).h
  }
  return panels
}

/** Returns the dashboard in the form of Grafana. */
export function dashboard() {
  const variables = [
    { name: 'datasource', type: 'datasource', query: 'prometheus' },
    { name: 'job', type: 'query', datasource, query: 'label_values(msgctl_database_up, job)', refresh: 1, current: {} },
  ]
  const starts = `changes(process_start_time_seconds${own}[1m]) > 0`
  const annotation = {
    name: 'Starts',
    datasource,
    enable: true,
    iconColor: 'blue',
    expr: starts,
    titleFormat: 'start of {{instance}}',
  }
  return {
    uid: 'msgctl',
    title: 'Msgctl',
    tags: ['msgctl'],
    timezone: 'browser',
    schemaVersion: 39,
    version: 1,
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    templating: { list: variables },
    annotations: { list: [annotation] },
    panels: layOut(),
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  writeFileSync(path.join(import.meta.dirname, 'msgctl.json'), `${JSON.stringify(dashboard(), null, 2)}\n`)
}

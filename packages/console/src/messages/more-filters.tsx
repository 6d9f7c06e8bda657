import { useOverview } from '../api/live.ts'
import { X } from '../ui/marks.ts'
import { t } from '../words/index.ts'
import type { MessageFilter } from './filter.ts'

interface MoreFiltersProps {
  readonly filter: MessageFilter
  readonly onChange: (part: Partial<MessageFilter>) => void
}

interface SelectProps {
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, text: string])[]
  readonly onChange: (value: string) => void
}

function Select({ label, value, options, onChange }: SelectProps) {
  return (
    <select
      class="input compact"
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      {options.map(([each, text]) => (
        <option key={each} value={each}>
          {text}
        </option>
      ))}
    </select>
  )
}

/** The filters by number, kind and time; a campaign comes from a link of its page. */
export function MoreFilters({ filter, onChange }: MoreFiltersProps) {
  const overview = useOverview()
  const numbers = overview?.numbers ?? []
  return (
    <>
      <Select
        label={t.messages.filterNumber}
        value={filter.containerId}
        options={[
          ['', t.messages.everyNumber],
          ...numbers.map(({ containerId, label }) => [containerId, label] as const),
        ]}
        onChange={(containerId) => onChange({ containerId })}
      />
      <Select
        label={t.messages.filterType}
        value={filter.type}
        options={[
          ['', t.messages.everyKind],
          ['alert', t.messages.types.alert],
          ['bulk', t.messages.types.bulk],
          ['otp', t.messages.types.otp],
        ]}
        onChange={(type) => onChange({ type })}
      />
      <Select
        label={t.messages.since}
        value={filter.hours}
        options={(['', '1', '24', '168'] as const).map((hours) => [hours, t.messages.times[hours]])}
        onChange={(hours) => onChange({ hours })}
      />
      {filter.campaignId ? (
        <button type="button" class="btn" onClick={() => onChange({ campaignId: '' })}>
          {t.messages.oneCampaign}
          <X size={14} aria-label={t.messages.clear} />
        </button>
      ) : null}
    </>
  )
}

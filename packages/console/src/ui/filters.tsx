interface FiltersProps<T extends string> {
  readonly label: string
  readonly options: readonly (readonly [value: T, label: string])[]
  readonly value: T
  readonly onChange: (value: T) => void
}

/** A row of buttons of which one is pressed. */
export function Filters<T extends string>({ label, options, value, onChange }: FiltersProps<T>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has looks of its own in each browser.
    <div class="filters" role="group" aria-label={label}>
      {options.map(([each, text]) => (
        <button key={each} type="button" class="filter" aria-pressed={each === value} onClick={() => onChange(each)}>
          {text}
        </button>
      ))}
    </div>
  )
}

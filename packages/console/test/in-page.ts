/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

// Each function runs in the page, so it may use nothing from outside of it. Behind an open dialog nothing can be
// reached.

/**
 * Returns what is wider than the window and does not scroll in a box of its own, and the page if it scrolls sideways.
 */
export function findWide(): string[] {
  const frames = [...document.querySelectorAll('html, body, .shell, .content, .page')]
  const scrolled = frames.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
  const found = scrolled.map(({ tagName, className }) => `${tagName} .${className} scrolls sideways`)
  const wide = [...document.querySelectorAll('.content *, .top-bar *')].flatMap((element) => {
    const { left, right, width } = element.getBoundingClientRect()
    if (width === 0 || element.closest('.unseen, svg, :popover-open, [popover]')) return []
    for (let parent = element.parentElement; parent; parent = parent.parentElement) {
      const isBox = /auto|scroll|hidden|clip/.test(getComputedStyle(parent).overflowX)
      if (isBox && !parent.matches('.content')) return []
    }
    const isWide = right > innerWidth + 0.5 || left < -0.5
    return isWide ? [`${element.tagName} .${element.className} is wider than the window`] : []
  })
  return [...found, ...wide]
}

/** Returns what can be clicked but lies under something else. */
export function findCovered(): string[] {
  const scope = document.querySelector('dialog:modal') ?? document
  return [...scope.querySelectorAll('a[href], button:not(:disabled), input, select, textarea, summary')].flatMap(
    (element) => {
      // A browser gives what is in a closed part a place, but does not paint it.
      if (!element.checkVisibility()) return []
      const box = element.getBoundingClientRect()
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
      const isOutside = x < 0 || y < 0 || x > innerWidth || y > innerHeight
      if (box.width < 2 || box.height < 2 || isOutside || element.closest('.unseen, .skip')) return []
      for (let parent = element.parentElement; parent; parent = parent.parentElement) {
        const outer = parent.getBoundingClientRect()
        const clips = getComputedStyle(parent).overflow !== 'visible'
        if (clips && (y > outer.bottom || y < outer.top || x > outer.right || x < outer.left)) return []
      }
      const hit = document.elementFromPoint(x, y)
      const isFree = element.contains(hit) || hit?.contains(element) || hit?.closest('label')?.contains(element)
      return isFree ? [] : [`${element.tagName} "${element.textContent?.trim()}" lies under .${hit?.className}`]
    },
  )
}

/** Returns what can be clicked but not be reached with the keyboard, or is smaller than 24 pixels. */
export function findUnfocusable(): string[] {
  const scope = document.querySelector('dialog:modal') ?? document
  return [...scope.querySelectorAll('a[href], button:not(:disabled), summary')].flatMap((element) => {
    const { width, height } = element.getBoundingClientRect()
    if (width === 0 || !(element instanceof HTMLElement) || element.closest('.unseen')) return []
    const name = `${element.tagName} "${element.textContent?.trim()}"`
    if (element.tabIndex < 0) return [`${name} cannot be reached with the keyboard`]
    const isInText = getComputedStyle(element).display === 'inline'
    return !isInText && (height < 23.5 || width < 23.5) ? [`${name} is smaller than 24 pixels`] : []
  })
}

/** Returns what shows no mark when the keyboard has reached it. */
export function findUnmarked(): string[] {
  const seen = (element: Element) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element)
    return outlineStyle !== 'none' && outlineWidth !== '0px' ? 'outline' : boxShadow
  }
  // Nothing in a closed part can be reached; each is opened, and closed again.
  const scope = document.querySelector('dialog:modal') ?? document
  const closed = [...scope.querySelectorAll<HTMLDetailsElement>('details:not([open])')]
  for (const part of closed) part.open = true
  const unmarked = [
    ...scope.querySelectorAll<HTMLElement>('a[href], button:not(:disabled), input, select, textarea, summary'),
  ].flatMap((element) => {
    const { width } = element.getBoundingClientRect()
    if (width < 2 || element.hidden || element.closest('.unseen, .skip')) return []
    element.blur()
    const before = seen(element)
    // A browser option: the mark is shown as if the keyboard had been used.
    element.focus({ focusVisible: true, preventScroll: true } as FocusOptions)
    const after = seen(element)
    element.blur()
    if (after === 'outline' || after !== before) return []
    return [`${element.tagName} "${element.textContent?.trim()}" has no mark of the focus`]
  })
  for (const part of closed) part.open = false
  return unmarked
}

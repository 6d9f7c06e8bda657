import widthOf from 'fast-string-width'
import { wrapAnsi } from 'fast-wrap-ansi'

/** A column of a table that must fit a width: its cells with the title first. */
export interface FittedColumn {
  readonly cells: readonly string[]
  /** Free text, which is cut first. */
  readonly long: boolean
  /** Left out when the table does not fit without it. */
  readonly spare: boolean
}

const gap = 2
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** The part of an id that is its time in milliseconds. */
const shortestId = 13
const shortestText = 12
const shortestCell = 4

/** Returns a line with its ids cut as those of tables, where it is too wide, then broken between words. */
export function fitLine(line: string, columns: number): string {
  if (widthOf(line) <= columns) return line
  const ids = /\b([0-9a-f]{8}-[0-9a-f]{4})(?:-[0-9a-f]{4}){2}-[0-9a-f]{12}\b/g
  return wrapAnsi(line.replace(ids, '$1'), columns)
}

function natural({ cells }: FittedColumn): number {
  return Math.max(...cells.map((cell) => widthOf(cell)))
}

/** Returns how many cells a table takes where nothing is cut. */
export function widthOfTable(columns: readonly FittedColumn[]): number {
  return total(columns.map(natural))
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0) + gap * Math.max(0, widths.length - 1)
}

/** Returns the column with ids cut to a length at which they still differ; other columns as they are. */
function withShortIds(column: FittedColumn): FittedColumn {
  const [title = '', ...ids] = column.cells
  const full = ids.filter((id) => id !== '-')
  if (full.length === 0 || !full.every((id) => uuid.test(id))) return column
  const distinct = new Set(full)
  let length = shortestId
  while (length < 36 && new Set(full.map((id) => id.slice(0, length))).size < distinct.size) length += 1
  return { ...column, cells: [title, ...ids.map((id) => id.slice(0, length))] }
}

/** Cuts the widest of some columns by one character until the table fits or all are as short as they may be. */
function shrink(widths: number[], isCut: (index: number) => boolean, shortest: number, columns: number): void {
  while (total(widths) > columns) {
    const widest = widths.reduce(
      (best, width, index) => (isCut(index) && width > (widths[best] ?? 0) ? index : best),
      -1,
    )
    if (widest === -1 || (widths[widest] ?? 0) <= shortest) return
    widths[widest] = (widths[widest] ?? 0) - 1
  }
}

/** A table that fits: the indices of its columns, their cells and widths. */
export interface Fit {
  readonly kept: readonly number[]
  readonly cells: readonly (readonly string[])[]
  readonly widths: readonly number[]
}

/**
 * Fits a table into `columns` characters. In this order: ids are shortened, columns without any value and spare ones
 * are left out from the right, long text is cut, and at last every column is.
 */
export function fitColumns(all: readonly FittedColumn[], columns: number): Fit {
  let kept = all.map((column, index) => ({ column, index }))
  const smallest = () =>
    total(kept.map(({ column }) => (column.long ? Math.min(shortestText, natural(column)) : natural(column))))
  const dropWhile = (drop: (column: FittedColumn) => boolean) => {
    for (const entry of kept.toReversed()) {
      if (smallest() <= columns) return
      if (drop(entry.column)) kept = kept.filter((other) => other !== entry)
    }
  }
  if (total(kept.map(({ column }) => natural(column))) > columns) {
    kept = kept.map(({ column, index }) => ({ column: withShortIds(column), index }))
    dropWhile(({ cells }) => cells.slice(1).every((cell) => cell === '-'))
    dropWhile(({ spare }) => spare)
  }
  const widths = kept.map(({ column }) => natural(column))
  shrink(widths, (index) => kept[index]?.column.long === true, shortestText, columns)
  shrink(widths, () => true, shortestCell, columns)
  return { kept: kept.map(({ index }) => index), cells: kept.map(({ column }) => column.cells), widths }
}

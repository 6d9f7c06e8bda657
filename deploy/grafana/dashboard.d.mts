export interface Panel {
  readonly title: string
  readonly targets?: readonly { readonly expr: string }[]
}
export function dashboard(): { readonly panels: readonly Panel[] }

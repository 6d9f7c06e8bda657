declare module '@michaelhomer/jqjs' {
  /** Compiles a jq program. Throws for a program that is not valid; the filter yields the results of one input. */
  const jq: { compile(program: string): (input: unknown) => Iterable<unknown> }
  export default jq
}

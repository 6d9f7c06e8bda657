/**
 * How long something lasts at a speed: at 60 a minute takes a second, at 0 nothing takes time. It holds for what people
 * and the network do with messages.
 */
export function scaled(ms: number, speed: number): number {
  return speed === 0 ? 0 : ms / speed
}

/**
 * How long a state of a link lasts. At speed 0 it keeps its length in service time: a link that drops after 30 s would
 * otherwise never be up, and one that flaps would do so without an end.
 */
export function lasting(ms: number, speed: number): number {
  return speed === 0 ? ms : ms / speed
}

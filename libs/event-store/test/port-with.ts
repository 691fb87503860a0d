/** Returns a port with these methods. The others are those of `port`; without one, a test uses no others. */
export function portWith<Port extends object>(methods: Partial<Port>, port?: Port): Port {
  return Object.assign(Object.create(port ?? null) as Port, methods);
}

type AsyncMethod = (...parameters: readonly unknown[]) => Promise<unknown>;

/**
 * Returns an object with the methods of `target`, of which the named ones reject while `check` throws. They must return
 * promises.
 */
export function guardMethods<T extends object>(
  target: T,
  names: readonly (keyof T)[],
  check: (...parameters: readonly unknown[]) => void,
): T {
  const methods = new Map<PropertyKey, unknown>();
  const bound = (name: PropertyKey, method: AsyncMethod): AsyncMethod => {
    if (!names.some((guarded) => guarded === name)) return method.bind(target);
    return async (...parameters) => {
      check(...parameters);
      return method.apply(target, [...parameters]);
    };
  };
  return new Proxy(target, {
    get(object, name) {
      const member: unknown = Reflect.get(object, name, object);
      if (typeof member !== 'function') return member;
      if (!methods.has(name)) methods.set(name, bound(name, member as AsyncMethod));
      return methods.get(name);
    },
  });
}

/**
 * Returns a CycloneDX document of a program that lists a second program in the same image, with everything that this one depends on.
 * A component of both is listed once.
 */
export function mergeComponents(program, second) {
  const root = program.metadata.component['bom-ref'];
  const added = second.metadata.component;
  const entries = [...program.dependencies, ...second.dependencies];
  const dependencies = new Map();
  for (const { ref, dependsOn = [] } of entries)
    dependencies.set(ref, new Set([...(dependencies.get(ref) ?? []), ...dependsOn]));
  dependencies.set(root, new Set([...(dependencies.get(root) ?? []), added['bom-ref']]));
  const components = new Map(
    [...program.components, added, ...second.components].map((component) => [
      component['bom-ref'],
      component,
    ]),
  );
  return {
    ...program,
    components: [...components.values()],
    dependencies: [...dependencies].map(([ref, dependsOn]) => ({ ref, dependsOn: [...dependsOn] })),
  };
}

/**
 * Returns a CycloneDX document of the Python libraries of metrics, without their dependencies on each other.
 *
 * @param requirements lines of a requirements file; versions are pinned
 */
export function metricLibraries(requirements) {
  const component = { 'bom-ref': 'metric-libraries', type: 'application', name: 'metric-libraries' };
  const pinned = [...requirements.matchAll(/^([\w.-]+)==([\w.]+)/gm)];
  const components = pinned.map(([, name, version]) => {
    const purl = `pkg:pypi/${name}@${version}`;
    return { 'bom-ref': purl, type: 'library', name, version, purl };
  });
  const dependsOn = components.map((library) => library['bom-ref']);
  return {
    metadata: { component },
    components,
    dependencies: [{ ref: component['bom-ref'], dependsOn }],
  };
}

/**
 * Reads the metrics of an admin port, in Prometheus' text format. Each read has a connection of its own: one that has waited a few seconds can
 * be closed by the server in the moment in which it is used again.
 */
export async function readMetrics(adminUrl: string): Promise<string> {
  const response = await fetch(`${adminUrl}/metrics`, { headers: { connection: 'close' } });
  return response.text();
}

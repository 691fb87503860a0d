import { ListScreen } from '../../list/list-screen.js';

export function EventsScreen() {
  return <ListScreen key="events" kind="events" />;
}

import { ListScreen } from '../../list/list-screen.js';

export function SessionsScreen() {
  return <ListScreen key="sessions" kind="sessions" />;
}

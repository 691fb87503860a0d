import { createRequire } from 'node:module';
import type { GroupState } from 'kafkajs';

/** The arguments that kafkajs passes to the module that encodes a JoinGroup request. */
interface JoinArguments {
  /** Empty in the first request of a member, which the broker responds to with an id (KIP-394). */
  readonly memberId: string;
  readonly groupProtocols: readonly GroupState[];
}

interface JoinModule {
  protocol: (version: { readonly version: number }) => (args: JoinArguments) => unknown;
}

const observers = new WeakMap<GroupState, (memberId: string) => void>();
const patched = new WeakSet<object>();

/**
 * Calls the observer before each JoinGroup request that carries this protocol of an assigner, with the member id in the request. An error of
 * the observer prevents the request. kafkajs shows the id of a member only after it has joined, which takes as long as the other members
 * need to rejoin.
 */
export function observeJoins(protocol: GroupState, observer: (memberId: string) => void): void {
  patchJoinRequests();
  observers.set(protocol, observer);
}

function patchJoinRequests(): void {
  const join = createRequire(__filename)('kafkajs/src/protocol/requests/joinGroup') as JoinModule;
  if (patched.has(join)) return;
  patched.add(join);
  const { protocol } = join;
  join.protocol = (version) => {
    const make = protocol(version);
    return (args) => {
      for (const one of args.groupProtocols) observers.get(one)?.(args.memberId);
      return make(args);
    };
  };
}

#!/bin/sh
# Usage: run-contained.sh UID:GID WORK APP DATA COMMAND...
# Runs a command as the chart runs a container: as this user without capabilities, a read-only root file system (this machine's, under
# an overlay), the program at /app, and writable folders /var/lib/assay and /tmp only. Needs root; WORK is an empty folder for the
# overlay. Everything is unmounted when the command ends, because the mounts are in a namespace of their own.
# cspell:ignore lowerdir upperdir rbind
set -eu
if [ "${ASSAY_CONTAINED:-}" = '' ]; then ASSAY_CONTAINED=yes exec unshare --mount -- "$0" "$@"; fi
user=$1 work=$2 app=$3 data=$4
shift 4
unset ASSAY_CONTAINED
mkdir -p "$work/upper" "$work/work" "$work/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$work/upper,workdir=$work/work" "$work/root"
mkdir -p "$work/root/app" "$work/root/var/lib/assay"
mount --bind "$app" "$work/root/app"
mount -o remount,bind,ro "$work/root/app"
mount --bind "$data" "$work/root/var/lib/assay"
mount -t tmpfs -o mode=1777,size=64m tmpfs "$work/root/tmp"
mount --rbind /proc "$work/root/proc"
mount --rbind /dev "$work/root/dev"
mount -o remount,ro "$work/root"
exec chroot "$work/root" /usr/bin/setpriv --reuid="${user%:*}" --regid="${user#*:}" --clear-groups --bounding-set=-all --inh-caps=-all \
  --no-new-privs /bin/sh -c 'cd /app && exec "$@"' sh "$@"

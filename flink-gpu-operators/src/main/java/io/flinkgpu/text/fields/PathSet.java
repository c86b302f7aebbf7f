package io.flinkgpu.text.fields;

import io.flinkgpu.api.Structure;

import java.util.List;

/**
 * Paths that fields are compared with, name by name from the outermost on. A state has for each path the places in
 * it that the names so far may lead to, as bits.
 */
final class PathSet {

    private static final String ONE = "*";
    private static final String ANY = "**";

    private final String[][] paths;

    PathSet(List<String> paths) {
        this.paths =
                paths.stream()
                        .map(path -> Structure.names(path).toArray(String[]::new))
                        .toArray(String[][]::new);
    }

    boolean isEmpty() {
        return paths.length == 0;
    }

    /** The state before the first name. */
    long[] start() {
        long[] state = new long[paths.length];
        for (int i = 0; i < state.length; i++) {
            state[i] = closed(paths[i], 1);
        }
        return state;
    }

    /** The state after one more name. */
    long[] next(long[] state, String name) {
        long[] next = new long[state.length];
        for (int i = 0; i < next.length; i++) {
            next[i] = next(paths[i], state[i], name);
        }
        return next;
    }

    private static long next(String[] path, long places, String name) {
        long next = 0;
        for (int at = 0; at < path.length; at++) {
            if ((places >> at & 1) == 0) {
                continue;
            }
            if (path[at].equals(ANY)) {
                next |= 1L << at;
            } else if (path[at].equals(ONE) || path[at].equals(name)) {
                next |= 1L << at + 1;
            }
        }
        return closed(path, next);
    }

    /** With the places after those that may stand for no name. */
    private static long closed(String[] path, long places) {
        long closed = places;
        for (int at = 0; at < path.length; at++) {
            if ((closed >> at & 1) != 0 && path[at].equals(ANY)) {
                closed |= 1L << at + 1;
            }
        }
        return closed;
    }

    /** Whether the names so far are one of the paths. */
    boolean isAny(long[] state) {
        for (int i = 0; i < state.length; i++) {
            if (isPath(state, i)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the names so far are a path. */
    boolean isPath(long[] state, int path) {
        return (state[path] >> paths[path].length & 1) != 0;
    }

    /** Whether more names may make the names so far one of the paths. */
    boolean mayBecomeAny(long[] state) {
        for (long places : state) {
            if (places != 0) {
                return true;
            }
        }
        return false;
    }
}

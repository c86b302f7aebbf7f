package io.flinkgpu.sql.loader;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Enumeration;

/**
 * Loads our planner between two others: its own classes itself, Flink's planner with what is nested in it from
 * Flink's loader of that, and all that the planner's loader does not show from the class path of Flink.
 */
final class PlannerClassLoader extends URLClassLoader {

    private static final String OURS = "io.flinkgpu.sql.planner.";

    private final ClassLoader planner;
    private final ClassLoader owner;

    /**
     * @param ours where our planner's classes are
     * @param planner loads Flink's planner
     * @param owner loads Flink and this library
     */
    PlannerClassLoader(URL ours, ClassLoader planner, ClassLoader owner) {
        super(new URL[] {ours}, planner);
        this.planner = planner;
        this.owner = owner;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(OURS)) {
            try {
                return planner.loadClass(name);
            } catch (ClassNotFoundException e) {
                return owner.loadClass(name);
            }
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? findClass(name) : loaded;
        }
    }

    // Flink's planner looks for its services in the loader of its class, and that class may be
    // ours.

    @Override
    public URL getResource(String name) {
        return planner.getResource(name);
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
        return planner.getResources(name);
    }
}

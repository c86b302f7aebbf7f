package io.flinkgpu.sql.planner;

import org.apache.flink.annotation.Internal;
import org.apache.flink.table.api.TableException;
import org.apache.flink.table.delegation.PlannerFactory;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Collections;
import java.util.List;

/** Finds Flink's own planner factory behind the class of the same name that hides it. */
@Internal
public final class FlinkPlannerFactory {

    private FlinkPlannerFactory() {}

    /**
     * Flink's factory.
     *
     * @param hiding the class of the same name
     */
    public static PlannerFactory hiddenBy(Class<?> hiding) {
        try {
            return (PlannerFactory)
                    new OneClassLoader(hiding.getName(), hidden(hiding), hiding.getClassLoader())
                            .loadClass(hiding.getName())
                            .getDeclaredConstructor()
                            .newInstance();
        } catch (IOException | ReflectiveOperationException e) {
            throw new TableException(
                    "no flink-table-planner jar: class="
                            + hiding.getName()
                            + "; put it into lib/ in the place of flink-table-planner-loader",
                    e);
        }
    }

    private static byte[] hidden(Class<?> hiding) throws IOException {
        String resource = hiding.getName().replace('.', '/') + ".class";
        URL own = hiding.getResource(hiding.getSimpleName() + ".class");
        List<URL> all = Collections.list(hiding.getClassLoader().getResources(resource));
        for (URL url : all) {
            if (!url.equals(own)) {
                try (InputStream bytes = url.openStream()) {
                    return bytes.readAllBytes();
                }
            }
        }
        throw new IOException("class files=" + all);
    }

    /** Defines one class itself, and leaves all others to its parent. */
    private static final class OneClassLoader extends ClassLoader {

        private final String name;
        private final byte[] bytes;

        OneClassLoader(String name, byte[] bytes, ClassLoader parent) {
            super(parent);
            this.name = name;
            this.bytes = bytes;
        }

        @Override
        protected Class<?> loadClass(String className, boolean resolve)
                throws ClassNotFoundException {
            synchronized (getClassLoadingLock(className)) {
                if (!className.equals(name)) {
                    return super.loadClass(className, resolve);
                }
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? defineClass(name, bytes, 0, bytes.length) : loaded;
            }
        }
    }
}

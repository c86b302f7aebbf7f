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
                    new HiddenClassLoader(hiding.getName(), hidden(hiding), hiding.getClassLoader())
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

    /** Defines a class, and those within it, itself, and leaves all others to its parent. */
    private static final class HiddenClassLoader extends ClassLoader {

        private final String name;
        private final byte[] bytes;

        HiddenClassLoader(String name, byte[] bytes, ClassLoader parent) {
            super(parent);
            this.name = name;
            this.bytes = bytes;
        }

        @Override
        protected Class<?> loadClass(String className, boolean resolve)
                throws ClassNotFoundException {
            synchronized (getClassLoadingLock(className)) {
                boolean isInner = className.startsWith(name + "$");
                if (!isInner && !className.equals(name)) {
                    return super.loadClass(className, resolve);
                }
                Class<?> loaded = findLoadedClass(className);
                if (loaded != null) {
                    return loaded;
                }
                byte[] code = isInner ? inner(className) : bytes;
                return defineClass(className, code, 0, code.length);
            }
        }

        private byte[] inner(String className) throws ClassNotFoundException {
            try (InputStream code = getResourceAsStream(className.replace('.', '/') + ".class")) {
                if (code == null) {
                    throw new ClassNotFoundException(className);
                }
                return code.readAllBytes();
            } catch (IOException e) {
                throw new ClassNotFoundException(className, e);
            }
        }
    }
}

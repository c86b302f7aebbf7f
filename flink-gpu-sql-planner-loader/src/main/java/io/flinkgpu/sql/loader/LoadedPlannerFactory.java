package io.flinkgpu.sql.loader;

import org.apache.flink.annotation.Internal;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.table.api.SqlDialect;
import org.apache.flink.table.api.TableException;
import org.apache.flink.table.delegation.ParserFactory;
import org.apache.flink.table.delegation.Planner;
import org.apache.flink.table.delegation.PlannerFactory;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.planner.loader.PlannerModule;

import java.net.MalformedURLException;
import java.net.URL;
import java.util.Locale;
import java.util.Set;

/** Flink's factory of planners, loaded as Flink loads it, with ours around it. */
@Internal
public final class LoadedPlannerFactory implements PlannerFactory {

    private static final String FACTORY = "io.flinkgpu.sql.planner.GpuPlannerFactory";

    private final PlannerFactory factory;

    /** Called by Flink. */
    public LoadedPlannerFactory() {
        ClassLoader owner = LoadedPlannerFactory.class.getClassLoader();
        String file = FACTORY.replace('.', '/') + ".class";
        URL url = owner.getResource(file);
        if (url == null) {
            throw new TableException(
                    "the planner on batches is missing: class="
                            + FACTORY
                            + "; put flink-gpu-sql-planner.jar into lib/ beside its loader");
        }
        PlannerModule flink = PlannerModule.getInstance();
        try {
            factory =
                    (PlannerFactory)
                            new PlannerClassLoader(
                                            root(url, file), flink.getSubmoduleClassLoader(), owner)
                                    .loadClass(FACTORY)
                                    .getConstructor(PlannerFactory.class)
                                    .newInstance(flink.loadPlannerFactory());
        } catch (MalformedURLException | ReflectiveOperationException e) {
            throw new TableException("the planner on batches cannot be loaded: url=" + url, e);
        }
    }

    @Override
    public String factoryIdentifier() {
        return factory.factoryIdentifier();
    }

    @Override
    public Set<ConfigOption<?>> requiredOptions() {
        return factory.requiredOptions();
    }

    @Override
    public Set<ConfigOption<?>> optionalOptions() {
        return factory.optionalOptions();
    }

    @Override
    public Planner create(Context context) {
        SqlDialect dialect = context.getTableConfig().getSqlDialect();
        if (dialect != SqlDialect.DEFAULT) {
            // As Flink's loader does: the planner has to see the jar of the dialect's parser.
            ParserFactory parser =
                    FactoryUtil.discoverFactory(
                            PlannerFactory.class.getClassLoader(),
                            ParserFactory.class,
                            dialect.name().toLowerCase(Locale.ROOT));
            PlannerModule.getInstance()
                    .addUrlToClassLoader(
                            parser.getClass().getProtectionDomain().getCodeSource().getLocation());
        }
        return factory.create(context);
    }

    /** The jar or folder that a class file is in. */
    @SuppressWarnings("deprecation") // Its successor is not in Java 17.
    private static URL root(URL url, String file) throws MalformedURLException {
        String text = url.toString();
        String root = text.substring(0, text.length() - file.length());
        boolean inJar = root.startsWith("jar:") && root.endsWith("!/");
        return new URL(inJar ? root.substring("jar:".length(), root.length() - 2) : root);
    }
}
